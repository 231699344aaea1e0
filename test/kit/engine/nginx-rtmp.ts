// nginx with its RTMP module, as Debian installs it, with the page of its state, and ffmpeg as a publisher.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freeTcpPort } from '../net/free-port.ts'
import { until } from '../until.ts'
import { sendClip } from './media.ts'

export interface NginxRtmp {
  /** Port of its web server, which has the state at `/stat`. */
  port: number
  rtmpPort: number
  /** Publishes a clip until the end of the suite (`setUpMedia`). */
  publish(name: string): void
  close(): Promise<void>
}

const config = (folder: string, port: number, rtmpPort: number) => `
load_module /usr/lib/nginx/modules/ngx_rtmp_module.so;
daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 64; }
rtmp { server { listen 127.0.0.1:${rtmpPort}; application live { live on; } } }
http {
  access_log off; client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p; fastcgi_temp_path ${folder}/f;
  uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  server { listen 127.0.0.1:${port}; location = /stat { rtmp_stat all; } }
}
`

export async function startNginxRtmp(): Promise<NginxRtmp> {
  const folder = mkdtempSync(join(tmpdir(), 'nginx-rtmp-'))
  const [port, rtmpPort] = [await freeTcpPort(), await freeTcpPort()]
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, config(folder, port, rtmpPort))
  const nginx = spawn('nginx', ['-c', file, '-p', folder], { stdio: 'ignore' })
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/stat`).then(
      (response) => response.ok,
      () => false
    )
  await until(isUp, 'nginx serves its state')
  return {
    port,
    rtmpPort,
    publish: (name) => void sendClip('flv', `rtmp://127.0.0.1:${rtmpPort}/live/${name}`),
    async close() {
      nginx.kill('SIGKILL')
      await once(nginx, 'exit')
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
