// Who reads the secrets of streams: every call that only reads is made by those who hold all rights but the one to edit what a secret is
// of, and what anybody may take away as a file holds none at all.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { Call } from '../../contract/call.ts'
import { exportLog, listLog } from '../../contract/log.ts'
import {
  ALL_PERMISSIONS,
  CHANNEL_EDIT,
  GROUP_ADMIN,
  INPUT_OUTPUT_EDIT,
  SYSTEM_CONFIG_EDIT
} from '../../contract/permissions.ts'
import { declaredCalls } from '../../contract/requests.ts'
import { logoutByGet } from '../../contract/session.ts'
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
import { CONNECTION, HTTP, RTMP, RTSP, SRT } from '../../contract/stream/protocols.ts'
import { type AddOutputRequest, addInput, addOutput, listInputs, listOutputs } from '../../contract/stream/source.ts'
import { type Client, join, startHub, type TestHub } from '../kit/hub.ts'

const test = suite('stream secrets')

/** In each secret of a source or target, of a channel, and of the settings; and in what no answer says, whoever asks. */
const OF = { source: 'zSourceHush', channel: 'zChannelHush', settings: 'zSettingsHush' } as const
const NEVER = 'zNeverHush'
const PHRASE = `${NEVER}-phrase`

/** What each kind of input and output has of secrets. Ports are those at which nobody listens. */
const INPUTS: Readonly<Record<string, string>> = {
  rtmp: `rtmp://me:${OF.source}@127.0.0.1:1/live/${OF.source}?token=${OF.source}`,
  rtmps: `rtmps://127.0.0.1:1/live/${OF.source}`,
  rtsp: `rtsp://me:${OF.source}@127.0.0.1:1/user=admin&password=${OF.source}`,
  'rtsp path': `rtsp://127.0.0.1:1/${OF.source}`,
  'hls path': `http://127.0.0.1:1/hls/${OF.source}/index.m3u8`,
  http: `http://me:${OF.source}@127.0.0.1:1/live.m3u8?token=${OF.source}`,
  https: `https://127.0.0.1:1/live.m3u8?${OF.source}`,
  'srt caller': `srt://127.0.0.1:1?mode=caller&streamid=${OF.source}&passphrase=${OF.source}`,
  'srt listener': `srt://:9021?mode=listener&passphrase=${OF.source}`
}
const OUTPUTS: readonly AddOutputRequest[] = [
  {
    ...{ name: 'rtmp', protocol: RTMP },
    config: {
      ...{ url: 'rtmp://127.0.0.1:1/live', key: OF.source },
      ...{ 'enable-auth': true, username: 'me', password: OF.source }
    }
  },
  { name: 'rtmp path', protocol: RTMP, config: { url: `rtmp://me:${OF.source}@127.0.0.1:2/live/${OF.source}` } },
  {
    ...{ name: 'srt caller', protocol: SRT },
    config: {
      ...{ mode: 'caller', 'dst-ip': '127.0.0.1', 'dst-port': 1, 'stream-id': OF.source },
      ...{ enc: 'aes-128', passphrase: PHRASE }
    }
  },
  {
    ...{ name: 'srt listener', protocol: SRT },
    config: { mode: 'listener', 'bind-port': 9022, enc: 'aes-256', passphrase: PHRASE }
  },
  {
    ...{ name: 'rtsp', protocol: RTSP },
    config: { port: 9023, key: OF.source, 'enable-auth': true, username: 'me', password: OF.source }
  },
  { name: 'hls', protocol: HTTP, config: { key: OF.source } }
]

let hub: TestHub
let admin: Client
let channels: number[]

test.before(async () => {
  hub = await startHub()
  admin = await hub.signIn()
  const done = async <Reply extends { result: number }>(answer: Promise<Reply>) => {
    const reply = await answer
    assert.equal(reply.result, 0, JSON.stringify(reply))
    return reply
  }
  await done(admin.send(setSettings, { srt: { port: 9020, 'pb-key-len': 16, passphrase: OF.settings } }))
  channels = []
  for (const [name, url] of Object.entries(INPUTS)) {
    const { id: input } = await done(admin.send(addInput, { name, config: { type: 1, url } }))
    const config = {
      'play-key': `PLAY-${OF.channel}-${channels.length}`,
      'push-key': `PUSH-${OF.channel}-${channels.length}`
    }
    const { id } = await done(admin.send(addChannel, { name, config }))
    await done(admin.send(setChannelInput, { id, input }))
    channels.push(id)
  }
  const outputs = []
  for (const output of OUTPUTS) outputs.push((await done(admin.send(addOutput, output))).id)
  const [id = 0] = channels
  await done(admin.send(addChannelOutputs, { id, outputs }))
  await done(admin.send(enableChannelOutputs, { id, outputs, enable: true }))
  // They fail, which is told with reasons.
  for (const channel of channels) await done(admin.send(enableChannel, { id: channel, enable: true }))
  for (const channel of channels.slice(0, 8))
    while (
      ((await admin.send(queryChannel, { id: channel })).channel.input?.['conn-state'] ?? 0) <= CONNECTION.connected
    )
      await new Promise((resolve) => setTimeout(resolve, 50))
  await done(admin.send(addInput, { name: 'rtmp 2', config: { type: 1, url: `${INPUTS.rtmp}2` } }))
  // Refused, which is written down, too.
  assert.notEqual(
    (await admin.send(addInput, { name: 'file', config: { type: 1, url: `file:///${NEVER}` } })).result,
    0
  )
})
test.after(() => hub.close())

/** Calls that change nothing. */
const reads = () => declaredCalls().filter((call) => call.method === 'GET' && call !== (logoutByGet as Call))

/** All that a call answers, asked for in every way that it may understand. */
async function answers(client: Client, call: Call): Promise<string> {
  const asked: Record<string, string>[] = [
    {},
    ...channels.map((id) => ({ id: String(id) })),
    ...['operation', 'system', 'device'].flatMap((type) => ['csv', 'json'].map((format) => ({ type, format }))),
    { 'global-config': '1', history: '1' },
    ...Object.values(OF).map((key) => ({ key, type: 'operation', format: 'csv' }))
  ]
  const texts = []
  for (const query of asked) {
    const response = await client.raw('GET', `/api${call.path}?${new URLSearchParams(query)}`)
    // Pictures go on for as long as somebody looks.
    if (response.headers.get('content-type')?.startsWith('multipart/')) await response.body?.cancel()
    else texts.push(await response.text())
  }
  return texts.join('\n')
}

for (const [of, right] of [
  ['source', INPUT_OUTPUT_EDIT],
  ['channel', CHANNEL_EDIT],
  ['settings', SYSTEM_CONFIG_EDIT]
] as const)
  test(`no call tells the secrets of a ${of} to who may do all but edit it`, async () => {
    const reader = join(hub, `all but ${of}`, (ALL_PERMISSIONS & ~right) >>> 0)
    const told: string[] = []
    let answered = 0
    for (const call of reads()) {
      const text = await answers(reader, call)
      if (/"result": ?0/.test(text)) answered++
      if (text.includes(OF[of]))
        told.push(`${call.path}: ${text.slice(Math.max(0, text.indexOf(OF[of]) - 200)).slice(0, 300)}`)
    }
    assert.deepEqual(told, [])
    assert.ok(answered > 15, `${answered} calls answered something`)
  })

test('who may edit is told what there is to edit, which shows that it would have been found', async () => {
  for (const [of, call] of [
    ['source', listInputs],
    ['source', listOutputs],
    ['channel', queryChannel],
    ['settings', getSettings]
  ] as const)
    assert.ok((await answers(admin, call as Call)).includes(OF[of]), `${of} by ${call.path}`)
})

test('passphrases of targets are told to nobody', async () => {
  const boss = join(hub, 'boss', ALL_PERMISSIONS, GROUP_ADMIN)
  for (const call of reads()) assert.ok(!(await answers(boss, call)).includes(NEVER), call.path)
})

test('what is taken away as a file, and every log, holds no secret, whoever asks', async () => {
  for (const call of [exportLog, exportChannelHistory, listLog] as unknown as Call[]) {
    const text = await answers(admin, call)
    assert.ok(text.length > 500, call.path)
    for (const secret of [...Object.values(OF), NEVER]) assert.ok(!text.includes(secret), `${secret} by ${call.path}`)
  }
  assert.match(await answers(admin, exportLog as Call), /rtmp:\/\//, 'the legs that failed are in it')
})

test.run()
