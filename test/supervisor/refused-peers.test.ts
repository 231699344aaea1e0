// Keys, stream IDs and certificates that are suddenly wrong: each call of the hub says so within 5 s, in both
// languages.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { NEXT_STEP_SENTENCES } from '../../contract/text/health-sentences.ts'
import { cleanUpMedia } from '../kit/engine/media.ts'
import { assertReports, assertWords, type FaultWords, waitUntilOnAir } from '../kit/fault/fault-report.ts'
import type { Fault } from '../kit/fault/faults.ts'
import { endPeers } from '../kit/fault/media.ts'
import { callWithWrongStreamId, publishWithWrongKey, showWrongCertificate } from '../kit/fault/refused-peers.ts'
import { VerdictWatch } from '../kit/fault/verdict-watch.ts'
import { type EngineProcess, startEngineProcess } from '../kit/hub/engine-process.ts'
import { type HubProcess, startHubProcess } from '../kit/hub/hub-process.ts'

const test = suite('refused peers')

/** By the title of the fault. */
const WORDS: Readonly<Record<string, Readonly<Record<'en' | 'zh', FaultWords>>>> = {
  'wrong key': {
    en: {
      cause: 'a caller with an unknown key (PU…) was refused',
      step: 'Set the ingest key of this channel at the encoder.',
      logged: 'no running channel uses this key'
    },
    zh: {
      cause: '已拒绝使用未知密钥（PU…）的呼叫方',
      step: '请在编码器上设置此频道的推流密钥。',
      logged: '没有运行中的频道使用此密钥'
    }
  },
  'wrong stream ID': {
    en: {
      cause: 'a caller with the stream ID other was refused',
      step: 'Set the stream ID of this input or output at the caller.'
    },
    zh: { cause: '已拒绝流 ID 为 other 的呼叫方', step: '请在呼叫方设置此输入或输出的流 ID。' }
  },
  'wrong certificate': {
    en: { cause: 'the server certificate is for another name', step: NEXT_STEP_SENTENCES['check-name'][0] },
    zh: { cause: '服务器证书的名称与地址不符', step: NEXT_STEP_SENTENCES['check-name'][1] }
  }
}

let data: string
let engine: EngineProcess
let hub: HubProcess
let watch: VerdictWatch
let certificate: Awaited<ReturnType<typeof showWrongCertificate>>
let faults: Fault[]

test.before(async () => {
  data = mkdtempSync(join(tmpdir(), 'headend-refused-'))
  engine = await startEngineProcess(data)
  hub = await startHubProcess(data)
  watch = new VerdictWatch(() => hub)
  certificate = await showWrongCertificate(hub)
  faults = [await publishWithWrongKey(hub), await callWithWrongStreamId(hub), certificate]
  await waitUntilOnAir(watch, faults)
})
test.after(async () => {
  await watch?.close()
  await hub?.kill()
  await engine?.kill()
  certificate?.close()
  rmSync(data, { recursive: true, force: true })
  await endPeers()
  await cleanUpMedia()
})

test('a wrong key, stream ID or certificate is named within 5 s, and nothing else', () =>
  assertReports(watch, faults, async () => {
    for (const fault of faults) await fault.cause()
  }))

test('all places say the cause and what to do, in both languages', async () => {
  for (const fault of faults) await assertWords(hub, fault, WORDS[fault.title] as (typeof WORDS)[string])
})

test('the channels are on air again with the right key, stream ID and certificate', async () => {
  for (const { mend } of faults) await mend()
  await waitUntilOnAir(watch, faults)
})

test.run()
