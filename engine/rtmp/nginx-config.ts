// Configuration of nginx as the engine's RTMP port. nginx asks the engine who may publish and play. The configuration contains no secret
// except the path of the engine's socket, which is in a private folder.

/** The RTMP application of all streams: `rtmp://hub/live/<key>`. */
export const APPLICATION = 'live'

export interface NginxConfigOptions {
  /** Folder for nginx's files. */
  folder: string
  /** Path of the RTMP module. */
  module: string
  host: string
  port: number
  /** Path of the engine's socket, to which nginx sends its hooks. */
  hookSocket: string
  /** Path of nginx's socket for statistics and control. */
  controlSocket: string
}

/** Connections at a time, of all streams. */
const CONNECTIONS = 2048

export function buildNginxConfig(options: NginxConfigOptions): string {
  const { folder, module, host, port, hookSocket, controlSocket } = options
  const hooks = ['publish', 'play', 'publish_done', 'play_done'].map(
    (name) => `on_${name} http://unix:${hookSocket}:/${name};`
  )
  const tempPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`
  )
  // A single process, so that no worker can outlive it. At level `emerg` stderr contains no stream names.
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
      ${hooks.join('\n      ')}
    }
  }
}
http {
  access_log off;
  ${tempPaths.join('\n  ')}
  server {
    listen unix:${controlSocket};
    location = /stat { rtmp_stat all; }
    location /control { rtmp_control all; }
  }
}
`
}
