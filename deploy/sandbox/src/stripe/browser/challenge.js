// 3-D Secure: the bank's question. It is answered, not escaped.

function openChallenge(key, intent) {
  return new Promise((resolve) => {
    const close = openDialog({
      title: "3D Secure authentication",
      page: "challenge.html",
      asked: { source: intent.id, client_secret: intent.client_secret, key },
      onMessage(message) {
        if (message?.type !== "challengeDone") return;
        close();
        resolve();
      },
    });
  });
}

