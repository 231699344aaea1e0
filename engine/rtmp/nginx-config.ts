// What nginx is told when it is the hub's RTMP port. Who may send and take is asked of the hub; nothing here is a secret but the path of
// the socket at which it is asked, which lies in a private folder.

/** The RTMP application that all streams are in: `rtmp://hub/live/<key>`. */
export const APPLICATION = 'live'

export interface RtmpConfig {
  /** Where nginx keeps what it needs. */
  folder: string
  /** Path of the module. */
  module: string
  host: string
  port: number
  /** Socket of the hub that nginx asks. */
  asks: string
  /** Socket at which nginx is told and tells. */
  control: string
}

/** Connections at a time, of all streams. */
const CONNECTIONS = 2048

export function rtmpConfig({ folder, module, host, port, asks, control }: RtmpConfig): string {
  const hook = (name: string) => `on_${name} http://unix:${asks}:/${name};`
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((of) => `${of}_temp_path ${folder}/${of};`)
  // One process, so that what ends it ends all of it. What it says on stderr names no stream.
  return `load_module ${module};
daemon off;
master_process off;
pid ${folder}/pid;
error_log stderr emerg;
events { worker_connections ${CONNECTIONS}; }
rtmp {
  access_log off;
  timeout 15s;
  ping 10s;
  ping_timeout 10s;
  server {
    listen ${host}:${port};
    chunk_size 4096;
    application ${APPLICATION} {
      live on;
      wait_key on;
      wait_video on;
      notify_method post;
      ${['publish', 'play', 'publish_done', 'play_done'].map(hook).join('\n      ')}
    }
  }
}
http {
  access_log off;
  ${folders.join('\n  ')}
  server {
    listen unix:${control};
    location = /stat { rtmp_stat all; }
    location /control { rtmp_control all; }
  }
}
`
}
