//! The baseline of the cached page: nginx serving its bytes with our response headers from its file cache.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command};

use anyhow::{Context as _, Result};

use crate::process;

/// Our page as the gateway sent it.
pub struct Page {
    pub gzipped: Vec<u8>,
    pub headers: Vec<(String, String)>,
}

/// A running nginx; stops on drop.
pub struct Nginx {
    child: Child,
    folder: PathBuf,
    pub url: String,
}

/// Headers nginx writes by itself.
const OWN_HEADERS: [&str; 9] = [
    "content-length",
    "content-type",
    "content-encoding",
    "date",
    "etag",
    "connection",
    "transfer-encoding",
    "vary",
    "last-modified",
];

impl Nginx {
    pub fn start(page: &Page) -> Result<Self> {
        let folder = std::env::temp_dir().join(format!("stillpoint-nginx-{}", std::process::id()));
        fs::create_dir_all(folder.join("www"))?;
        fs::write(folder.join("www/page.html"), b"")?;
        fs::write(folder.join("www/page.html.gz"), &page.gzipped)?;
        let port = process::free_port()?;
        let config = folder.join("nginx.conf");
        fs::write(&config, configuration(&folder.display().to_string(), port, page)?)?;
        let child = Command::new("nginx")
            .arg("-p")
            .arg(&folder)
            .arg("-c")
            .arg(&config)
            .args(["-e", "stderr"])
            .spawn()
            .context("nginx could not be started: install the package nginx-light")?;
        let mut nginx = Self {
            child,
            folder,
            url: format!("http://127.0.0.1:{port}/page.html"),
        };
        process::wait_until_open(&mut nginx.child, "nginx", port)?;
        Ok(nginx)
    }

    pub fn cpu_millis(&self) -> u64 {
        process::usage(self.child.id()).cpu_millis
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        if let Ok(pid) = i32::try_from(self.child.id()) {
            // SIGQUIT, not SIGKILL: the master stops its workers.
            let _ =
                nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), nix::sys::signal::Signal::SIGTERM);
        }
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn configuration(folder: &str, port: u16, page: &Page) -> Result<String> {
    let mut headers = String::new();
    for (name, value) in &page.headers {
        if !OWN_HEADERS.contains(&name.as_str()) {
            writeln!(
                headers,
                "      add_header {name} '{}';",
                value.replace('\'', "\\'").replace('$', "")
            )?;
        }
    }
    let user = if nix::unistd::geteuid().is_root() {
        "user root;"
    } else {
        ""
    };
    Ok(format!(
        "{user}
daemon off;
worker_processes auto;
pid {folder}/nginx.pid;
events {{ worker_connections 1024; }}
http {{
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 100000000;
  open_file_cache max=16;
  open_file_cache_valid 1h;
  types {{ text/html html; }}
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port} backlog=1024;
    root {folder}/www;
    location = /page.html {{
      gzip_static always;
      gzip_vary on;
{headers}    }}
  }}
}}
"
    ))
}
