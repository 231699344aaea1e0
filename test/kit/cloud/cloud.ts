// A cloud in this process, with clients that send requests as a browser would, and hubs that register.
import { randomBytes } from 'node:crypto'
import { md5Of } from '../../../accounts/passwords.ts'
import { type Cloud, type CloudOptions, createCloud } from '../../../cloud/cloud.ts'
import { GROUP_USER, GROUP_VIEWER } from '../../../contract/access/permissions.ts'
import { addUser } from '../../../contract/access/user.ts'
import type { Call, Envelope } from '../../../contract/call.ts'
import { login } from '../../../contract/cloud/calls.ts'

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
  /** Adds a user of a group, and signs in. */
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
  return {
    ...cloud,
    client,
    signIn,
    async signInAs(group) {
      const admin = await signIn()
      const name = `u_${randomBytes(3).toString('hex')}`
      await admin.send(addUser, {
        name,
        passwd: md5Of('Secret-1'),
        'group-id': group === 'User' ? GROUP_USER : GROUP_VIEWER
      })
      return signIn(name, 'Secret-1')
    }
  }
}
