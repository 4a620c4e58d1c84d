// window.FB, as sdk.js defines it. What it keeps lasts as long as the page.

let config = null;
let current = null;

const loginStatus = () => ({ status: current ? "connected" : "unknown", authResponse: current });

async function login(done, options = {}) {
  if (!config?.appId) {
    console.error("FB.login() called before FB.init().");
    return;
  }
  const { outcome, answer } = await ask(`/facebook/${config.version}/dialog/oauth`, {
    client_id: config.appId,
    display: "popup",
    response_type: "token,signed_request,graph_domain",
    scope: options.scope,
    auth_type: options.auth_type,
  });
  current = outcome === "signedIn" ? answer.authResponse : null;
  done?.(loginStatus());
}

// FB.api(path, [method], [params], [callback])
async function api(path, ...rest) {
  const done = rest.find((given) => typeof given === "function");
  const params = rest.find((given) => typeof given === "object") ?? {};
  const address = new URL(`/facebook/${config.version}/${path.replace(/^\//, "")}`, SANDBOX_ORIGIN);
  for (const [name, value] of Object.entries({ access_token: current?.accessToken ?? "", ...params })) address.searchParams.set(name, value);
  try {
    done?.(await (await fetch(address)).json());
  } catch {
    done?.({ error: { message: "unknown error", type: "http", code: 1 } });
  }
}

window.FB = {
  init(given) {
    config = { version: "v24.0", ...given };
  },
  login,
  api,
  getLoginStatus: (done) => setTimeout(() => done(loginStatus())),
  getAuthResponse: () => current,
  logout(done) {
    current = null;
    setTimeout(() => done?.(loginStatus()));
  },
};
window.fbAsyncInit?.();
