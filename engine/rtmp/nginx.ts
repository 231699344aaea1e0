// Configuration of nginx, which serves RTMP for the engine. It asks the engine whether a client may publish or play.
// The configuration contains no secret except the path of the engine's socket, which is in a private folder.
import { existsSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { urlHost } from '../../contract/ipv6.ts'
import { NotInstalledError } from '../interfaces/errors.ts'
import { findProgram } from '../process/find-program.ts'

/** The RTMP application of all streams: `rtmp://hub/live/<key>`. */
export const APPLICATION = 'live'

interface NginxConfigOptions {
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
    listen ${urlHost(host)}:${port}${host === '::' ? ' ipv6only=off' : ''};
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

const PROGRAMS = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', 'nginx']
const MODULES = ['/usr/lib', '/usr/lib64', '/usr/local/lib', '/usr/share'].map(
  (folder) => `${folder}/nginx/modules/ngx_rtmp_module.so`
)
/** The command that installs nginx and the module. */
export const INSTALL_RTMP = 'apt-get install -y nginx libnginx-mod-rtmp'

interface NginxInstallation {
  /** Path of nginx. */
  program: string
  /** Path of the RTMP module. */
  module: string
}

/**
 * @param program path of nginx. Default: searched in the usual folders
 * @throws NotInstalledError
 */
export function findNginx(program = PROGRAMS.find(findProgram)): NginxInstallation {
  const module = MODULES.find(existsSync)
  if (!program) throw new NotInstalledError('nginx')
  if (!module) throw new NotInstalledError('libnginx-mod-rtmp')
  return { program, module }
}

/** Whether nginx and its RTMP module are installed. */
export const isRtmpInstalled = () => PROGRAMS.some(findProgram) && MODULES.some(existsSync)

/** Milliseconds that nginx has to respond. */
const TIMEOUT = 2000
/** Bytes of the statistics page. */
const PAGE_MAX = 1 << 22

interface NginxStats {
  /** IDs of the connected clients. */
  clientIds: ReadonlySet<number>
  /** Bytes sent to all players, by internal stream name. */
  sentBytes: ReadonlyMap<string, number>
}

/** Reads the statistics page. Rejects if nginx does not respond. */
export async function fetchStats(socketPath: string): Promise<NginxStats> {
  const page = await get(socketPath, '/stat')
  const clients = page.matchAll(/<client><id>(\d+)<\/id>/g)
  const streams = page.matchAll(/<stream>\s*<name>([^<]*)<\/name>.*?<bytes_out>(\d+)<\/bytes_out>/gs)
  return {
    clientIds: new Set([...clients].map((match) => Number(match[1]))),
    sentBytes: new Map([...streams].map(([, name = '', bytes]) => [name, Number(bytes)]))
  }
}

/** Disconnects a client. Rejects if nginx does not respond. */
export async function dropClient(socketPath: string, id: number): Promise<void> {
  await get(socketPath, `/control/drop/client?app=${APPLICATION}&clientid=${id}`)
}

/**
 * Reads the body of a message as text.
 * @throws Error if it is longer than `max` characters
 */
export async function readBody(message: IncomingMessage, max: number): Promise<string> {
  let text = ''
  for await (const chunk of message.setEncoding('utf8')) {
    text += chunk
    if (text.length > max) throw new Error(`The body is longer than ${max} characters`)
  }
  return text
}

function get(socketPath: string, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ socketPath, path, timeout: TIMEOUT }, (response) => {
      readBody(response, PAGE_MAX).then(resolve, reject)
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error('nginx did not respond')))
    outgoing.on('error', reject).end()
  })
}
