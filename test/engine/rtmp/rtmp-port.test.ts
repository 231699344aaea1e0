// The RTMP port with the real nginx and ffmpeg at the other ends.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { createLauncher, type Launcher } from '../../../engine/process/launcher.ts'
import { createRtmpPort, type RtmpClient, type RtmpPort, type RtmpPortOptions } from '../../../engine/rtmp/rtmp-port.ts'
import { freeTcpPort } from '../../kit/free-port.ts'
import { clip, endAll, look, type Running, run, send, until } from '../media.ts'

const test = suite('RTMP port')

let launcher: Launcher
let port: RtmpPort
let started: number[]
let came: RtmpClient[]
let went: RtmpClient[]

function make(more: Partial<RtmpPortOptions> = {}): RtmpPort {
  return createRtmpPort({
    launcher: {
      run(launch) {
        const process = launcher.run(launch)
        started.push(process.pid ?? 0)
        return process
      }
    },
    host: '127.0.0.1',
    port: 0,
    admit: ({ sends, key }) => (key === (sends ? 'PUSH-1' : 'PLAY-1') ? 'stream-1' : undefined),
    enter: (client) => came.push(client),
    leave: (client) => went.push(client),
    changed() {},
    now: () => performance.now(),
    ...more
  })
}
const open = () => until('the port is open', () => port.port() !== undefined)
const at = (key: string) => `rtmp://127.0.0.1:${port.port()}/live/${key}`
const push = (key: string): Running => send('flv', at(key))
const watch = (key: string): Running => run(['-v', 'error', '-i', at(key), '-f', 'null', '-'])

test.before(() => {
  clip()
})
test.before.each(async () => {
  launcher = createLauncher()
  started = []
  came = []
  went = []
  port = make()
  await open()
})
test.after.each(async () => {
  await port.close()
  assert.equal(launcher.count(), 0)
})
test.after(endAll)

test('a stream goes in under its key and out under another, to several at a time', async () => {
  push('PUSH-1')
  await until('it is there', () => came.length === 1)
  const [seen, other] = await Promise.all([look(at('PLAY-1')), look(at('PLAY-1'))])
  for (const each of [seen, other]) {
    assert.equal(each.codec, 'h264', each.text)
    assert.ok(each.different > 6, each.text)
  }
  await until('both have left', () => went.length === 2)
  assert.deepEqual([came[0]?.sends, came[0]?.peer, came[0]?.stream], [true, '127.0.0.1', 'stream-1'])
  assert.ok(port.clients().length === 1)
})

test('who has no key is refused, and neither can say of itself who it is nor use what streams are called inside', async () => {
  for (const key of ['PUSH-9', 'stream-1', 'PUSH-9?name=PUSH-1', 'PUSH-9?pass=', 'PLAY-1']) await push(key).done
  await watch('stream-1').done
  await watch('PUSH-1').done
  assert.deepEqual(came, [])
})

test('a way of our own is good for one stream, and once where it can be seen', async () => {
  push('PUSH-1')
  await until('it is there', () => came.length === 1)
  const { url, name } = port.own('stream-1', true)
  const seen = await look(`${url}/${name}`)
  assert.equal(seen.codec, 'h264', seen.text)
  assert.equal((await look(`${url}/${name}`)).pictures, 0)
  const other = port.own('stream-2', true)
  assert.equal((await look(`${url}/${other.name.replace('stream-2', 'stream-1')}`)).pictures, 0)
  assert.equal(came.length, 1, 'it is no client')
})

test('one that is thrown out is gone, and how much each is sent is measured', async () => {
  const sender = push('PUSH-1')
  await until('it is there', () => came.length === 1)
  const watching = [watch('PLAY-1'), watch('PLAY-1')]
  await until('both are there', () => came.length === 3)
  await until('figures came', () => port.kbps('stream-1') > 0)
  await until(
    () => `${port.kbps('stream-1')} kbps`,
    () => port.kbps('stream-1') > 100 && port.kbps('stream-1') < 600
  )
  port.drop(came.find((client) => !client.sends)?.id ?? 0)
  await until('one is gone', () => watching.filter((each) => each.running()).length === 1)
  assert.ok(sender.running())
  port.drop(came.find((client) => client.sends)?.id ?? 0)
  await sender.done
  await until('it has left', () => !port.clients().some((client) => client.sends))
})

test('a port whose program is killed opens again, and those who were there are said to have left', async () => {
  const sender = push('PUSH-1')
  await until('it is there', () => came.length === 1)
  process.kill(started[0] ?? 0, 'SIGKILL')
  await until('it is gone', () => port.clients().length === 0 && went.length === 1)
  await sender.done
  await open()
  push('PUSH-1')
  await until('it is there again', () => came.length === 2)
})

test('a port that is taken is said to be, tried again, and works when it is free', async () => {
  const taken = await freeTcpPort()
  const holder = await new Promise<Server>((resolve) => {
    const server = createServer().listen(taken, '127.0.0.1', () => resolve(server))
  })
  const second = make({ port: taken })
  await until('it fails', () => second.failure() !== undefined)
  assert.equal(second.failure(), `port-taken ${taken}`)
  await new Promise((resolve) => holder.close(resolve))
  second.retry()
  await until('it opens', () => second.port() === taken)
  assert.equal(second.failure(), undefined)
  await second.close()
})

test('without nginx the reason says what installs it', async () => {
  const second = make({ program: '/nonexistent/nginx' })
  await until('it fails', () => second.failure() !== undefined)
  assert.equal(second.failure(), 'install-with apt-get install -y nginx libnginx-mod-rtmp')
  await second.close()
})

test('folders of hubs that are no more are removed, and its own is for nobody else', () => {
  const left = join(tmpdir(), 'headend-rtmp-4194305-x')
  mkdirSync(left, { recursive: true })
  const second = make()
  assert.ok(!existsSync(left))
  const mine = readdirSync(tmpdir()).filter((name) => name.startsWith(`headend-rtmp-${process.pid}-`))
  assert.ok(mine.length >= 2)
  const words = started.map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8')).join()
  assert.doesNotMatch(words, /PUSH|PLAY|pass=/)
  return second.close()
})

test.run()
