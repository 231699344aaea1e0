// A real hub in this process, and clients that send requests as a browser would.
import { createHash } from 'node:crypto'
import { login } from '../../../contract/access/session.ts'
import type { Call, Envelope } from '../../../contract/call.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import type { Engine } from '../../../engine/engine.ts'
import type { LocalOptions } from '../../../engine/server/engine-server.ts'
import { createHub, type RunningHub } from '../../../hub/hub.ts'
import type { HubOptions } from '../../../hub/options.ts'
import { SESSION_COOKIE } from '../../../web-server/credentials.ts'
import { startTestEngine } from './test-engine.ts'

export const md5 = (text: string) => createHash('md5').update(text).digest('hex')

/** Fields of a request that carry a new password. */
export const newPassword = (password: string) => ({ passwd: md5(password), password })

export interface Client {
  /** The Cookie header of its requests. */
  cookie: string
  /** The access token of its requests, if any. */
  token?: string
  /** Sends a declared call. */
  send<Request, Reply>(call: Call<Request, Reply>, request: Request): Promise<Reply & Envelope>
  /** Sends any request. */
  raw(method: string, path: string, init?: { body?: string; headers?: Record<string, string> }): Promise<Response>
  /** Sends a POST request with any body. */
  post(path: string, body: BodyInit, headers?: Record<string, string>): Promise<Response>
}

export interface TestHub extends RunningHub {
  /** The engine behind `parts.engine`. */
  engine: Engine
  /** Returns a client that is not signed in. @param address its IP address */
  client(address?: string): Client
  /** Signs in with a password. */
  signIn(name?: string, password?: string, address?: string): Promise<Client>
  /** Returns a client with a new session of a user, without the slow password check. */
  clientAs(name?: string, address?: string): Client
}

const ORIGIN = 'http://localhost'

/** Returns the header for an access token. */
export const bearerHeader = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` }

export interface TestHubOptions extends HubOptions {
  /** Where the NDI runtime is looked up. */
  ndi: LocalOptions['ndi']
}

/**
 * Starts a hub with a database in memory that does not listen on any port, and an engine in this process that it
 * connects to.
 */
export async function startHub({ ndi, ...options }: Partial<TestHubOptions> = {}): Promise<TestHub> {
  const host = options.host ?? '127.0.0.1'
  const engine = await startTestEngine({ pushHost: host, outputHost: host, sharedHost: host, ...(ndi && { ndi }) })
  const running = await createHub({
    data: ':memory:',
    dist: '/nonexistent',
    ...options,
    engineSocket: engine.socket
  }).catch(async (error) => {
    await engine.close()
    throw error
  })
  await running.parts.engine.whenConnected()
  function client(address = '127.0.0.1'): Client {
    const self: Client = {
      cookie: '',
      async send(call, request) {
        const get = call.method === 'GET'
        const entries = Object.entries(request as object).filter(([, value]) => value !== undefined)
        const query = get ? new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString() : ''
        const response = await self.raw(call.method, `/api${call.path}${query && `?${query}`}`, {
          ...(!get && { body: JSON.stringify(request), headers: { 'content-type': 'application/json' } })
        })
        return (await response.json()) as never
      },
      raw: (method, path, { body, headers } = {}) => exchange(method, path, body, headers),
      post: (path, body, headers) => exchange('POST', path, body, headers)
    }
    async function exchange(
      method: string,
      path: string,
      body: BodyInit | undefined,
      headers: Record<string, string> = {}
    ): Promise<Response> {
      const response = await running.fetch(
        new Request(ORIGIN + path, {
          method,
          body,
          ...(body instanceof ReadableStream && { duplex: 'half' }),
          headers: { cookie: self.cookie, ...bearerHeader(self.token), ...headers }
        }),
        // Each request in process has a connection of its own.
        { address, secure: false, openedAt: performance.now() }
      )
      const cookies = new Map(
        self.cookie
          .split('; ')
          .filter(Boolean)
          .map((pair) => pair.split('=') as [string, string])
      )
      for (const line of response.headers.getSetCookie()) {
        const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
        if (value) cookies.set(name, value)
        else cookies.delete(name)
      }
      self.cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      return response
    }
    return self
  }
  return {
    ...running,
    engine: engine.engine,
    async close(ending) {
      await running.close(ending)
      await engine.close()
    },
    client,
    async signIn(name = 'Admin', password = 'Admin', address) {
      const user = client(address)
      const { result } = await user.send(login, { id: name, pass: md5(password) })
      if (result !== SUCCESS) throw new Error(`Sign-in as ${name} failed with result ${result}`)
      return user
    },
    clientAs(name = 'Admin', address = '127.0.0.1') {
      const { store, gate } = running.parts
      const user = store.users.byName(name)
      if (!user) throw new Error(`There is no user ${name}`)
      const session = client(address)
      session.cookie = `${SESSION_COOKIE}=${store.database.transaction(() => gate.openSession(user.id, address)).secret}`
      return session
    }
  }
}

function insertUser({ parts: hub }: TestHub, name: string, permission: number, type: number, password: string): void {
  const { users, database } = hub.store
  const bit = 2 ** (database.all('SELECT id FROM user').length + 3)
  database.transaction(() => {
    if (type === 8) users.addGroup(bit, `group of ${name}`, permission, 8)
    users.add(bit, name, type === 8 ? bit : type, password, false)
  })
}

/** Adds a user directly to the store and signs in. The password is the name. */
export async function addUser(hub: TestHub, name: string, permission: number, type = 8): Promise<Client> {
  const { hashPassword } = await import('../../../accounts/passwords.ts')
  insertUser(hub, name, permission, type, await hashPassword(md5(name)))
  return hub.signIn(name, name)
}

/** Adds a user without a password and returns a client with a session, without the slow password check. */
export function addSignedInUser(hub: TestHub, name: string, permission: number, type = 8): Client {
  insertUser(hub, name, permission, type, '')
  return hub.clientAs(name)
}
