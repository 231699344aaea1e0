// Secrets of streams: users with all permissions except the one to edit an object must not get its secrets from any
// call, and exported files contain no secrets at all.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  ALL_PERMISSIONS,
  CHANNEL_EDIT,
  CHANNEL_VIEW,
  GROUP_ADMIN,
  INPUT_OUTPUT_EDIT,
  SYSTEM_CONFIG_EDIT
} from '../../contract/access/permissions.ts'
import { logoutByGet } from '../../contract/access/session.ts'
import type { Call } from '../../contract/call.ts'
import { SUCCESS, TOO_MANY, TRY_AGAIN } from '../../contract/codes.ts'
import { exportLog, listLog } from '../../contract/log.ts'
import { getSettings, setSettings } from '../../contract/settings.ts'
import {
  addChannel,
  addChannelOutputs,
  enableChannel,
  enableChannelOutputs,
  queryChannel,
  setChannelInput
} from '../../contract/stream/channel.ts'
import { exportChannelHistory } from '../../contract/stream/channel-history.ts'
import { watchChannel } from '../../contract/stream/channel-watch.ts'
import { CONNECTION_STATE, HTTP, RTMP, RTSP, SRT } from '../../contract/stream/protocols.ts'
import { type AddOutputRequest, addInput, addOutput, listInputs, listOutputs } from '../../contract/stream/source.ts'
import { listDeclaredCalls } from '../../make/wire/declared-calls.ts'
import { addSignedInUser, type Client, startHub, type TestHub } from '../kit/hub/hub.ts'
import { until } from '../kit/until.ts'

const test = suite('stream secrets')

/** Text in each secret of a source or target, of a channel, and of the settings. */
const MARKS = { source: 'zSourceHush', channel: 'zChannelHush', settings: 'zSettingsHush' } as const
/** Text in secrets that no response contains, for any user. */
const NEVER = 'zNeverHush'
const PHRASE = `${NEVER}-phrase`

/** All kinds of inputs and outputs with their secrets. Nothing listens on the ports. */
const INPUTS: Readonly<Record<string, string>> = {
  rtmp: `rtmp://me:${MARKS.source}@127.0.0.1:1/live/${MARKS.source}?token=${MARKS.source}`,
  rtmps: `rtmps://127.0.0.1:1/live/${MARKS.source}`,
  rtsp: `rtsp://me:${MARKS.source}@127.0.0.1:1/user=admin&password=${MARKS.source}`,
  'rtsp path': `rtsp://127.0.0.1:1/${MARKS.source}`,
  'hls path': `http://127.0.0.1:1/hls/${MARKS.source}/index.m3u8`,
  http: `http://me:${MARKS.source}@127.0.0.1:1/live.m3u8?token=${MARKS.source}`,
  https: `https://127.0.0.1:1/live.m3u8?${MARKS.source}`,
  'srt caller': `srt://127.0.0.1:1?mode=caller&streamid=${MARKS.source}&passphrase=${MARKS.source}`,
  'srt listener': `srt://:9021?mode=listener&passphrase=${MARKS.source}`
}
const OUTPUTS: readonly AddOutputRequest[] = [
  {
    name: 'rtmp',
    protocol: RTMP,
    config: {
      url: 'rtmp://127.0.0.1:1/live',
      key: MARKS.source,
      'enable-auth': true,
      username: 'me',
      password: MARKS.source
    }
  },
  { name: 'rtmp path', protocol: RTMP, config: { url: `rtmp://me:${MARKS.source}@127.0.0.1:2/live/${MARKS.source}` } },
  {
    name: 'srt caller',
    protocol: SRT,
    config: {
      mode: 'caller',
      'dst-ip': '127.0.0.1',
      'dst-port': 1,
      'stream-id': MARKS.source,
      enc: 'aes-128',
      passphrase: PHRASE
    }
  },
  {
    name: 'srt listener',
    protocol: SRT,
    config: { mode: 'listener', 'bind-port': 9022, enc: 'aes-256', passphrase: PHRASE }
  },
  {
    ...{ name: 'rtsp', protocol: RTSP },
    config: {
      port: 9023,
      key: `${MARKS.source}-main`,
      'sub-key': `${MARKS.source}-sub`,
      'enable-auth': true,
      username: 'me',
      password: MARKS.source
    }
  },
  { name: 'hls', protocol: HTTP, config: { key: MARKS.source } }
]

let hub: TestHub
let admin: Client
let channels: number[]

test.before(async () => {
  hub = await startHub()
  admin = await hub.signIn()
  const expectSuccess = async <Reply extends { result: number }>(pendingReply: Promise<Reply>) => {
    const reply = await pendingReply
    assert.equal(reply.result, SUCCESS, JSON.stringify(reply))
    return reply
  }
  await expectSuccess(admin.send(setSettings, { srt: { port: 9020, 'pb-key-len': 16, passphrase: MARKS.settings } }))
  channels = []
  for (const [name, url] of Object.entries(INPUTS)) {
    const { id: input } = await expectSuccess(admin.send(addInput, { name, config: { type: 1, url } }))
    const config = {
      'play-key': `PLAY-${MARKS.channel}-${channels.length}`,
      'push-key': `PUSH-${MARKS.channel}-${channels.length}`
    }
    const { id } = await expectSuccess(admin.send(addChannel, { name, config }))
    await expectSuccess(admin.send(setChannelInput, { id, input }))
    channels.push(id)
  }
  const outputs = []
  for (const output of OUTPUTS) outputs.push((await expectSuccess(admin.send(addOutput, output))).id)
  const [id = 0] = channels
  await expectSuccess(admin.send(addChannelOutputs, { id, outputs }))
  await expectSuccess(admin.send(enableChannelOutputs, { id, outputs, enable: true }))
  // They fail, with reasons in the responses.
  for (const channel of channels) await expectSuccess(admin.send(enableChannel, { id: channel, enable: true }))
  for (const channel of channels.slice(0, 8))
    await until(async () => {
      const { input } = (await admin.send(queryChannel, { id: channel })).channel
      return (input?.['conn-state'] ?? 0) > CONNECTION_STATE.connected
    }, 'the input fails')
  await expectSuccess(admin.send(addInput, { name: 'rtmp 2', config: { type: 1, url: `${INPUTS.rtmp}2` } }))
  // Refused, and logged.
  assert.notEqual(
    (await admin.send(addInput, { name: 'file', config: { type: 1, url: `file:///${NEVER}` } })).result,
    0
  )
})
test.after(() => hub.close())

/** Calls that only read. Playback has a test of its own, because it waits for a stream for seconds. */
const listReadCalls = () =>
  listDeclaredCalls().filter(
    (call) => call.method === 'GET' && call !== (logoutByGet as Call) && call !== (watchChannel as Call)
  )

/** All responses of a call, with every combination of parameters that it may accept. */
async function collectResponses(client: Client, call: Call): Promise<string> {
  const queries: Record<string, string>[] = [
    {},
    ...channels.map((id) => ({ id: String(id) })),
    ...['operation', 'system', 'device'].flatMap((type) => ['csv', 'json'].map((format) => ({ type, format }))),
    { 'global-config': '1', history: '1' },
    ...Object.values(MARKS).map((key) => ({ key, type: 'operation', format: 'csv' }))
  ]
  const texts = queries.map(async (query) => {
    const response = await client.raw('GET', `/api${call.path}?${new URLSearchParams(query)}`)
    // Preview streams are endless.
    if (!response.headers.get('content-type')?.startsWith('multipart/')) return await response.text()
    await response.body?.cancel()
    return ''
  })
  return (await Promise.all(texts)).join('\n')
}

for (const [of, right] of [
  ['source', INPUT_OUTPUT_EDIT],
  ['channel', CHANNEL_EDIT],
  ['settings', SYSTEM_CONFIG_EDIT]
] as const)
  test(`no call reveals the secrets of a ${of} to a user with all permissions except editing it`, async () => {
    const reader = addSignedInUser(hub, `all but ${of}`, (ALL_PERMISSIONS & ~right) >>> 0)
    const leaks: string[] = []
    let successes = 0
    for (const call of listReadCalls()) {
      const text = await collectResponses(reader, call)
      if (/"result": ?0/.test(text)) successes++
      if (text.includes(MARKS[of]))
        leaks.push(`${call.path}: ${text.slice(Math.max(0, text.indexOf(MARKS[of]) - 200)).slice(0, 300)}`)
    }
    assert.deepEqual(leaks, [])
    assert.ok(successes > 15, `${successes} calls succeeded`)
  })

test('users with permission to edit get the secrets, which shows that the search finds them', async () => {
  for (const [of, call] of [
    ['source', listInputs],
    ['source', listOutputs],
    ['channel', queryChannel],
    ['settings', getSettings]
  ] as const)
    assert.ok((await collectResponses(admin, call as Call)).includes(MARKS[of]), `${of} by ${call.path}`)
})

test('passphrases of targets are never returned', async () => {
  const administrator = addSignedInUser(hub, 'boss', ALL_PERMISSIONS, GROUP_ADMIN)
  for (const call of listReadCalls())
    assert.ok(!(await collectResponses(administrator, call)).includes(NEVER), call.path)
})

test('playback of channels without a stream reveals no secrets, for any user', async () => {
  const administrator = addSignedInUser(hub, 'chief', ALL_PERMISSIONS, GROUP_ADMIN)
  const viewer = addSignedInUser(hub, 'viewer', CHANNEL_VIEW)
  const texts = await Promise.all(
    [admin, administrator, viewer].map((client) => collectResponses(client, watchChannel as Call))
  )
  for (const text of texts) {
    // A user has fewer places than there are channels.
    const responses = text.match(new RegExp(`"result": ?(${TRY_AGAIN}|${TOO_MANY})\\b`, 'g'))
    assert.equal(responses?.length, channels.length, text)
    for (const secret of [...Object.values(MARKS), NEVER]) assert.ok(!text.includes(secret), secret)
  }
})

test('exported files and logs contain no secrets, for any user', async () => {
  for (const call of [exportLog, exportChannelHistory, listLog] as unknown as Call[]) {
    const text = await collectResponses(admin, call)
    assert.ok(text.length > 500, call.path)
    for (const secret of [...Object.values(MARKS), NEVER])
      assert.ok(!text.includes(secret), `${secret} by ${call.path}`)
  }
  assert.match(await collectResponses(admin, exportLog as Call), /rtmp:\/\//, 'it contains the failed streams')
})

test.run()
