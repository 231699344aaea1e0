// The web servers of `firmware-pack/servers/` as processes, each with its own web root, port and hub.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { serverConfigurations } from '../../firmware-pack/payload.ts'
import { freeTcpPort } from '../kit/net/free-port.ts'
import { until } from '../kit/until.ts'

/** Values in the configurations that the test replaces. */
const GIVEN = { web: '/usr/share/headend', port: '8088', hub: '3000' }

export interface FrontServer {
  port: number
  stop(): Promise<void>
}

export interface Place {
  /** Folder of the test with the web root `www/`. */
  folder: string
  hubPort: number
}

/** Copies a configuration with the paths of the test and further replacements. */
function configure(name: string, { folder, hubPort }: Place, port: number, more: Record<string, string>): string {
  const page = readFileSync(join(folder, 'www/index.html'), 'utf8')
  let text = String(serverConfigurations(page).find(({ path }) => path === `servers/${name}`)?.bytes)
  const replaced = { [GIVEN.web]: folder, [GIVEN.port]: String(port), [GIVEN.hub]: String(hubPort), ...more }
  for (const [from, to] of Object.entries(replaced)) text = text.replaceAll(from, to)
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

/** How to start each server in the foreground, with all its files in `folder`. */
const COMMANDS: Record<string, (place: Place, port: number) => string[]> = {
  nginx(place, port) {
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${place.folder}/nginx-${name};`)
      .join(' ')
    const own = {
      '/run/headend-nginx.pid': `${place.folder}/nginx.pid`,
      'listen 8088': `listen 127.0.0.1:${port}`,
      '/var/log/nginx/access.log': `${place.folder}/nginx-access.log`,
      'http {': `http { ${temporary}`
    }
    const config = configure('nginx.conf', place, port, own)
    return ['nginx', '-e', 'stderr', '-g', 'daemon off;', '-c', config]
  },
  lighttpd(place, port) {
    configure('lighttpd.lua', place, port, {})
    const own = {
      [`${place.folder}/servers/`]: `${place.folder}/`,
      'server.port': 'server.bind = "127.0.0.1"\nserver.port'
    }
    return ['lighttpd', '-D', '-f', configure('lighttpd.conf', place, port, own)]
  },
  caddy(place, port) {
    const own = { [`\n:${port} {`]: `\n:${port} {\n\tbind 127.0.0.1` }
    return ['caddy', 'run', '--adapter', 'caddyfile', '--config', configure('caddy.conf', place, port, own)]
  },
  'busybox httpd'(place, port) {
    const config = configure('busybox-httpd.conf', place, port, {})
    return ['busybox', 'httpd', '-f', '-p', `127.0.0.1:${port}`, '-h', `${place.folder}/www`, '-c', config]
  }
}

export const FRONT_SERVERS = Object.keys(COMMANDS)

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}

/** Starts a server. @throws Error with the output of the server when it does not start */
export async function startFrontServer(name: string, place: Place): Promise<FrontServer> {
  const port = await freeTcpPort()
  const [command = '', ...args] = COMMANDS[name]?.(place, port) ?? []
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin`, HOME: place.folder, XDG_DATA_HOME: place.folder }
  const child: ChildProcess = spawn(command, args, { env, cwd: place.folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      output += error.message
      resolve()
    })
    child.once('exit', () => resolve())
  })
  let over = false
  ended.then(() => (over = true))
  await until(
    () => over || isListening(port),
    () => `${name} starts: ${output}`
  )
  if (over) throw new Error(`${name} did not start: ${output}`)
  return {
    port,
    async stop() {
      child.kill()
      await until(() => over, `${name} ends`).catch(() => child.kill('SIGKILL'))
      await ended
    }
  }
}
