// nginx as a plain reverse proxy: the reference for the relay.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freeTcpPort } from '../../test/kit/net/free-port.ts'
import { until } from '../../test/kit/until.ts'

export interface ReverseProxy {
  port: number
  close(): Promise<void>
}

/** Keeps connections to the server open, and passes what it reads on, as its defaults are. */
const config = (folder: string, port: number, server: string) => `
daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 256; }
http {
  access_log off; client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p; fastcgi_temp_path ${folder}/f;
  uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s; client_max_body_size 0; keepalive_requests 1000000;
  upstream hub { server ${server}; keepalive 64; keepalive_requests 1000000; }
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://hub; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host ${server}; }
  }
}
`

/** @param server host and port @param folder for its files */
export async function startReverseProxy(server: string, folder: string): Promise<ReverseProxy> {
  const port = await freeTcpPort()
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, config(folder, port, server))
  const nginx = spawn('nginx', ['-c', file, '-p', folder], { stdio: 'ignore' })
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      ({ ok }) => ok,
      () => false
    )
  await until(isUp, 'nginx answers')
  return {
    port,
    async close() {
      nginx.kill('SIGKILL')
      await once(nginx, 'exit')
    }
  }
}
