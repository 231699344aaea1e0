// Who is refused at the door of the shared ports: keys that nobody has, that were renewed, whose channel is stopped or that are for the
// other direction, and a second publisher.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CONNECTION, RTMP, SRT } from '../../../contract/stream/protocols.ts'
import { type Running, until } from '../media.ts'
import { bench, benchForEach, stage } from './shared-bench.ts'

const test = suite('shared ports, refused')

/** Everybody who was ever listed at a channel. */
let listed: Set<string>
benchForEach(test, {
  changed(id) {
    for (const one of bench.engine.observe(id).clients ?? []) listed.add(`${id} ${one.id} ${one.protocol}`)
  }
})
test.before.each(() => {
  listed = new Set()
})

async function refused(what: string, ...tries: Running[]): Promise<void> {
  for (const code of await Promise.all(tries.map((one) => one.done))) assert.ok(code, `${what}: ${code}`)
}

for (const [name, protocol] of [
  ['SRT', SRT],
  ['RTMP', RTMP]
] as const)
  test(`over ${name} nobody gets in with a key that opens nothing, and nobody disturbs who is there`, async () => {
    const { engine } = bench
    const push = (key?: string) => (protocol === SRT ? bench.pushSrt(key) : bench.pushRtmp(key))
    const watch = (key: string) => (protocol === SRT ? bench.takeSrt(key) : bench.watchRtmp(key))
    engine.apply(stage())
    engine.apply(stage({ pushKey: 'PUSH-9', playKey: 'PLAY-9' }, { id: 2, enable: false }))
    await bench.open()
    await refused('unknown', push('PUSH-0'), push('push-1'), push('PUSH-'), watch('PLAY-0'))
    await refused('of a stopped channel', push('PUSH-9'), watch('PLAY-9'))
    // With a bare stream ID nobody over SRT says what for.
    const [to, from] = protocol === SRT ? ['publish.srt/live/', 'play.srt/live/'] : ['', '']
    await refused('for the other direction', push(`${to}PLAY-1`), watch(`${from}PUSH-1`))
    assert.deepEqual([...listed], [])

    const first = push()
    await bench.reaches(1, CONNECTION.connected)
    const [publisher] = bench.clients(true)
    await refused('the second', push(), bench.pushRtmp(), bench.pushSrt())
    assert.ok(first.running())
    assert.deepEqual([bench.clients(true)[0]?.id, publisher?.protocol], [publisher?.id, protocol])

    // The old keys have expired with the new ones.
    engine.apply(stage({ pushKey: 'PUSH-2', playKey: 'PLAY-2' }))
    await refused('cut', first)
    await until('nobody is there', () => bench.clients(true).length === 0)
    const before = listed.size
    await refused('expired', push('PUSH-1'), watch('PLAY-1'))
    assert.equal(listed.size, before)
    push('PUSH-2')
    await bench.reaches(1, CONNECTION.connected)
    await refused('expired, while it runs', push('PUSH-1'), watch('PLAY-1'))
    assert.equal(bench.clients(false).length, 0)
  })

test.run()
