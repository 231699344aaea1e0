// A cloud in this process, with clients that send requests as a browser would, and hubs that register.
import { randomBytes } from 'node:crypto'
import { md5Of } from '../../../accounts/passwords.ts'
import { readUser } from '../../../cloud/auth/accounts.ts'
import { openSession } from '../../../cloud/auth/sessions.ts'
import { type Cloud, type CloudOptions, createCloud } from '../../../cloud/cloud.ts'
import { GROUP_USER, GROUP_VIEWER } from '../../../contract/access/permissions.ts'
import { addUser } from '../../../contract/access/user.ts'
import type { Call, Envelope } from '../../../contract/call.ts'
import { login } from '../../../contract/cloud/calls.ts'
import { SESSION_COOKIE } from '../../../web-server/credentials.ts'

export interface CloudClient {
  /** The Cookie header of its requests. */
  cookie: string
  send<Request, Reply>(call: Call<Request, Reply>, request: Request): Promise<Reply & Envelope>
  raw(method: string, path: string, init?: { body?: string; headers?: Record<string, string> }): Promise<Response>
}

export interface TestCloud extends Cloud {
  /** @param headers of all of its requests */
  client(address?: string, headers?: Record<string, string>): CloudClient
  signIn(name?: string, password?: string, organisation?: string): Promise<CloudClient>
  /** A client with a new session of a user, without the slow check of a password, and without a line in the log. */
  clientAs(name?: string, organisation?: string): Promise<CloudClient>
  /** Adds a user of a group. @returns a client with a session of the user */
  signInAs(group: 'User' | 'Viewer'): Promise<CloudClient>
}

const ORIGIN = 'http://localhost'

export async function startCloud(options: Partial<CloudOptions> = {}): Promise<TestCloud> {
  const cloud = await createCloud({ data: ':memory:', host: '127.0.0.1', organisation: 'headend', ...options })
  const client = (address = '127.0.0.1', own: Record<string, string> = {}): CloudClient => {
    const self: CloudClient = {
      cookie: '',
      async send(call, request) {
        const isRead = call.method === 'GET'
        const query = isRead ? new URLSearchParams(request as Record<string, string>).toString() : ''
        const response = await self.raw(call.method, `/api${call.path}${query && `?${query}`}`, {
          ...(!isRead && { body: JSON.stringify(request), headers: { 'content-type': 'application/json' } })
        })
        return (await response.json()) as never
      },
      async raw(method, path, { body, headers } = {}) {
        const response = await cloud.fetch(
          new Request(`${ORIGIN}${path}`, {
            method,
            headers: { ...own, ...headers, ...(self.cookie && { cookie: self.cookie }) },
            ...(body !== undefined && { body })
          }),
          { address, secure: false }
        )
        const [cookie] = response.headers.getSetCookie()
        if (cookie) self.cookie = cookie.split(';')[0] ?? ''
        return response
      }
    }
    return self
  }
  const signIn: TestCloud['signIn'] = async (name = 'Admin', password = 'Admin', organisation) => {
    const self = client()
    const { result } = await self.send(login, {
      id: name,
      pass: md5Of(password),
      ...(organisation && { organisation })
    })
    if (result !== 0) throw new Error(`Sign-in of ${name}: result ${result}`)
    return self
  }
  const { now = Date.now } = options
  const clientAs: TestCloud['clientAs'] = (name = 'Admin', organisation = 'headend') =>
    cloud.store.within(organisation, async (scope) => {
      const user = await readUser(scope, 'name', name)
      if (!user) throw new Error(`There is no user ${name}`)
      const self = client()
      const secret = await openSession(scope, user.id, { now: now(), address: '127.0.0.1', agent: '' })
      self.cookie = `${SESSION_COOKIE}=${secret}`
      return self
    })
  return {
    ...cloud,
    client,
    signIn,
    clientAs,
    async signInAs(group) {
      const admin = await clientAs()
      const name = `u_${randomBytes(3).toString('hex')}`
      await admin.send(addUser, {
        name,
        passwd: md5Of('Secret-1'),
        'group-id': group === 'User' ? GROUP_USER : GROUP_VIEWER
      })
      return clientAs(name)
    }
  }
}
