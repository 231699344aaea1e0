// Downloads by ticket through the hub: who gets a ticket and a file, when both end, and what the responses have.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { SYSTEM_CONFIG_VIEW } from '../../../contract/access/permissions.ts'
import { logout } from '../../../contract/access/session.ts'
import { addToken, NEVER_EXPIRES } from '../../../contract/access/token.ts'
import { deleteUsers, setGroup } from '../../../contract/access/user.ts'
import { INVALID_ARG, NOT_LOGGED_IN, NOT_PERMITTED, SUCCESS } from '../../../contract/codes.ts'
import { addDownloadTicket, DOWNLOADS_MAX, type DownloadRequest } from '../../../contract/file/download.ts'
import { listLog } from '../../../contract/log.ts'
import { Downloads } from '../../../hub/downloads/downloads.ts'
import { fileResponse, storedFile } from '../../../hub/downloads/file-response.ts'
import { requireCaller } from '../../../hub/http/handler.ts'
import { addSignedInUser, addUser, bearerHeader, type Client } from '../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../kit/hub/hub-for-each.ts'

const test = suite('downloads')
hubForEach(test)

const LOG: DownloadRequest = { kind: 'log', type: 'operation', format: 'csv' }
const anonymous = () => hub.client()

async function ticketFor(client: Client, request = LOG): Promise<string> {
  const { result, url } = await client.send(addDownloadTicket, request)
  assert.equal(result, SUCCESS)
  return url
}

const fetchFile = (url: string, client = anonymous(), headers: Record<string, string> = {}) =>
  client.raw('GET', url, { headers })

test('a ticket gives the file without a session, as often as it is used within its time', async () => {
  const reply = await admin.send(addDownloadTicket, LOG)
  assert.equal(reply['expires-s'], 600)
  assert.equal(reply.url, `/api/file/get?ticket=${reply.ticket}`)
  for (let n = 0; n < 2; n++) {
    const response = await fetchFile(reply.url)
    assert.equal(response.status, 200)
    assert.match(response.headers.get('content-disposition') ?? '', /^attachment; filename="operation-log-.*\.csv"$/)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    assert.match(await response.text(), /^\ufeff?time,user/)
  }
})

test('the file is in the language of the user who asked for the ticket, with the entries that the user sees', async () => {
  const chinese = { ...admin, cookie: `${admin.cookie}; mwcloud-lang=zh` }
  const response = await admin.raw('POST', `/api${addDownloadTicket.path}`, {
    body: JSON.stringify(LOG),
    headers: { cookie: chinese.cookie, 'content-type': 'application/json', 'accept-language': 'zh-CN' }
  })
  const { url } = (await response.json()) as { url: string }
  assert.match(await (await fetchFile(url)).text(), /下载文件/)
})

test('a ticket needs a session and the permission for the file', async () => {
  assert.equal((await anonymous().send(addDownloadTicket, LOG)).result, NOT_LOGGED_IN)
  assert.equal((await addSignedInUser(hub, 'nobody', 0).send(addDownloadTicket, LOG)).result, NOT_PERMITTED)
  assert.equal((await addSignedInUser(hub, 'viewer', SYSTEM_CONFIG_VIEW).send(addDownloadTicket, LOG)).result, SUCCESS)
})

test('invalid requests are refused with the field', async () => {
  const refused: readonly [object, string][] = [
    [{}, 'kind'],
    [{ kind: 'passwd' }, 'kind'],
    [{ kind: '__proto__' }, 'kind'],
    [{ kind: 'log', type: '../operation', format: 'csv' }, 'type'],
    [{ kind: 'log', type: 'operation' }, 'format'],
    [{ kind: 'log', type: 'device', format: 'csv', sn: '../x' }, 'sn']
  ]
  for (const [request, field] of refused) {
    const reply = await admin.send(addDownloadTicket, request as DownloadRequest)
    assert.deepEqual([reply.result, reply.field], [INVALID_ARG, field], JSON.stringify(request))
  }
})

test('a wrong ticket gets an error as an attachment, so the browser stays on its page', async () => {
  await ticketFor(admin)
  for (const ticket of ['', 'x', 'A'.repeat(43)]) {
    const response = await fetchFile(`/api/file/get?ticket=${ticket}`, admin)
    assert.equal(response.status, 404, ticket)
    assert.match(response.headers.get('content-disposition') ?? '', /^attachment/)
  }
  assert.equal(
    (await fetchFile(`/api/file/get?ticket=${'x'.repeat(65)}`).then((reply) => reply.json())).result,
    INVALID_ARG
  )
})

test('a ticket is for one user: another one who is signed in gets no file with it', async () => {
  const url = await ticketFor(admin)
  const other = addSignedInUser(hub, 'other', SYSTEM_CONFIG_VIEW)
  assert.equal((await fetchFile(url, other)).status, 404)
  const { token } = await admin.send(addToken, { owner: 'other', 'expired-time': NEVER_EXPIRES })
  assert.equal((await fetchFile(url, anonymous(), bearerHeader(token))).status, 404)
  assert.equal((await fetchFile(url, admin)).status, 200)
})

test('a ticket ends with the session, with the user, and with the permission', async () => {
  const url = await ticketFor(admin)
  await admin.send(logout, {})
  assert.equal((await fetchFile(url)).status, 404)

  const again = await hub.signIn()
  const viewer = addSignedInUser(hub, 'viewer', SYSTEM_CONFIG_VIEW)
  const leaver = await addUser(hub, 'leaver', SYSTEM_CONFIG_VIEW)
  const leaverUrl = await ticketFor(leaver)
  const { id } = hub.parts.store.users.byName('leaver') ?? {}
  assert.equal((await again.send(deleteUsers, { id: id ?? 0 })).result, SUCCESS)
  assert.equal((await fetchFile(leaverUrl)).status, 404)

  const viewerUrl = await ticketFor(viewer)
  assert.equal((await fetchFile(viewerUrl)).status, 200)
  const group = hub.parts.store.users.byName('viewer')?.group_id ?? 0
  assert.equal((await again.send(setGroup, { id: group, permissions: 1 })).result, SUCCESS)
  assert.equal((await fetchFile(viewerUrl)).status, 404)
})

test('the operation log has the file, and no log has the ticket', async () => {
  const { ticket, url } = await admin.send(addDownloadTicket, LOG)
  await fetchFile(url)
  for (const type of ['operation', 'system'] as const) {
    const { list } = await admin.send(listLog, { type })
    assert.ok(!JSON.stringify(list).includes(ticket), type)
    if (type === 'operation') assert.equal(list[0]?.text, 'Download file: operation-log.csv')
  }
})

/** Downloads of a file on disk. */
async function withStoredFile(size: number, run: (downloads: Downloads, url: string, bytes: Buffer) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), 'downloads-'))
  const path = join(folder, 'file')
  const bytes = Buffer.alloc(size, 'abcdefghij')
  await writeFile(path, bytes)
  const { gate } = hub.parts
  const downloads = new Downloads(gate)
  downloads.register('log', {
    call: { access: SYSTEM_CONFIG_VIEW },
    describe: () => 'file',
    open: () => storedFile(path, { name: 'file.bin', type: 'application/octet-stream' })
  })
  const caller = requireCaller({ caller: gate.caller(new Headers({ cookie: admin.cookie }), '127.0.0.1') } as never)
  const { ticket } = await downloads.issue({ caller, language: 'en' }, LOG)
  try {
    await run(downloads, ticket, bytes)
  } finally {
    downloads.close()
    await rm(folder, { recursive: true })
  }
}

test('a download of a file on disk that broke off is continued', () =>
  withStoredFile(1000, async (downloads, ticket, bytes) => {
    const whole = await downloads.serve(ticket, { range: null, ifRange: null }, undefined)
    const etag = whole.headers.get('etag')
    assert.deepEqual([whole.headers.get('content-length'), whole.headers.get('accept-ranges')], ['1000', 'bytes'])
    assert.deepEqual(Buffer.from(await whole.arrayBuffer()), bytes)
    const rest = await downloads.serve(ticket, { range: 'bytes=995-', ifRange: etag }, undefined)
    assert.deepEqual([rest.status, rest.headers.get('content-range')], [206, 'bytes 995-999/1000'])
    assert.equal(await rest.text(), 'fghij')
    const changed = await downloads.serve(ticket, { range: 'bytes=995-', ifRange: '"other"' }, undefined)
    assert.equal(changed.status, 200)
    await changed.body?.cancel()
    const behind = await downloads.serve(ticket, { range: 'bytes=1000-', ifRange: null }, undefined)
    assert.deepEqual([behind.status, behind.headers.get('content-range')], [416, 'bytes */1000'])
  }))

test('a user can run 8 downloads at once, and another one when one of them ends', () =>
  withStoredFile(1000, async (downloads, ticket) => {
    const open = () => downloads.serve(ticket, { range: null, ifRange: null }, undefined)
    const running = await Promise.all(Array.from({ length: DOWNLOADS_MAX }, open))
    assert.ok(running.every(({ status }) => status === 200))
    assert.equal((await open()).status, 429)
    await running[0]?.body?.cancel()
    assert.equal((await open()).status, 200)
  }))

test('a download that runs ends with the session', () =>
  withStoredFile(1 << 20, async (downloads, ticket) => {
    const response = await downloads.serve(ticket, { range: null, ifRange: null }, undefined)
    const reader = response.body?.getReader()
    await reader?.read()
    await admin.send(logout, {})
    downloads.recheckAccess()
    await assert.rejects(async () => {
      while (!(await reader?.read())?.done);
    })
  }))

test('a session that ends while the file is prepared gets no file', async () => {
  const { downloads } = hub.parts
  const opened = Promise.withResolvers<void>()
  const prepared = Promise.withResolvers<void>()
  const open = async () => {
    opened.resolve()
    await prepared.promise
    return { name: 'a.txt', type: 'text/plain', open: () => new Blob(['text']).stream() }
  }
  downloads.register('log', { call: { access: SYSTEM_CONFIG_VIEW }, describe: () => 'file', open })
  const response = fetchFile(await ticketFor(admin))
  await opened.promise
  await admin.send(logout, {})
  prepared.resolve()
  assert.equal((await response).status, 404)
})

test('a file without a known size offers no ranges', () => {
  const open = () => new Response('text').body as ReadableStream<Uint8Array>
  const response = fileResponse({ name: 'a.txt', type: 'text/plain', open }, { range: 'bytes=1-', ifRange: null })
  assert.deepEqual([response.status, response.headers.get('accept-ranges')], [200, null])
})

test.run()
