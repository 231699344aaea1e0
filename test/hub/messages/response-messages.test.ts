import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { LIVE_ERRORS, QUICK_STREAM_ERRORS } from '../../../contract/device/live.ts'
import { RECORDING_ERRORS } from '../../../contract/device/recording.ts'
import { withMessage } from '../../../hub/messages/response-messages.ts'
import { both } from '../../kit/both.ts'

const test = suite('messages')

type Told = Parameters<typeof withMessage>[1]
type Worded = Told & { message?: string; details?: { message?: string }[] }

const worded = (answer: Told) => both((language) => withMessage(language, answer) as Worded)
const messages = (answer: Told) => worded(answer).map(({ message }) => message)

test('what the result alone says needs no message', () => {
  for (const answer of [{ result: 0 }, { result: 31 }, { result: 7, field: 'name', fault: 'length', min: 1, max: 2 }])
    assert.deepEqual(worded(answer), [answer, answer])
})

test('a code that the console has no sentence for brings it', () => {
  assert.deepEqual(messages({ result: -107 }), [
    'License subscription is expired, please renew it.',
    '许可证订阅已过期，请续订。'
  ])
  assert.equal(messages({ result: 13 })[0], 'Read or write error')
})

test('the numbers and names of an answer are in its message', () => {
  assert.deepEqual(messages({ result: 1007, port: 9001 }), [
    'Port 9001 occupied\nChoose another one.',
    '端口 9001 被占用\n请换一个。'
  ])
  for (const of of ['web', 'links', 'srt', 'rtmp', 'forward', 'input', 'output'] as const) {
    const both = messages({ result: 1007, port: 9001, holder: { of, name: 'Eye' } })
    for (const said of both) assert.match(said ?? '', /9001.*\n/)
    assert.equal(both[0]?.includes('Eye'), of === 'input' || of === 'output', of)
  }
  const [user] = messages({ result: 41, exists: 'user' })
  const [group] = messages({ result: 41, exists: 'group' })
  const [server] = messages({ result: 1003, exists: 'server' })
  assert.match(user ?? '', /^User already exists\n/)
  assert.match(group ?? '', /^Group already exists\n/)
  assert.match(server ?? '', /^The server already exists\n/)
  const most = (of: 'user' | 'group' | 'server', max: number) => messages({ result: 17, of, max })
  assert.deepEqual(most('user', 32), ['Limit exceeded\nmax users 32', '超出限制\n最多 32 个用户'])
  assert.deepEqual(most('group', 6)[0], 'Limit exceeded\nmax groups 6')
  assert.deepEqual(most('server', 16)[0], 'Limit exceeded\n16 servers at most')
})

test('where nothing may go is said', () => {
  assert.match(messages({ result: 32, forbidden: true })[0] ?? '', /^Streams may not use this address\.\nChoose /)
})

test('how much space a file needs is said where there is less than any may need', () => {
  assert.deepEqual(messages({ result: 29, 'free-size': 3 }), [
    'Less than 50 MB of space\nFree some space first.',
    '可用空间不足 50 MB\n请先释放空间。'
  ])
  assert.deepEqual(messages({ result: 29, 'free-size': 2 ** 40 }), [undefined, undefined])
})

test('a code of a device is said as its generation means it', () => {
  const said = (api: 'usapi' | 'mwapi' | 'api') => messages({ result: -9, api })[0]?.split('\n')[0]
  assert.deepEqual([said('usapi'), said('mwapi'), said('api')], ['The device is busy', 'Occupied', 'Occupied'])
  assert.equal(messages({ result: 777, api: 'api' })[1], '操作失败，错误码：777')
})

test('an error of a recording or a stream is said with what to do next', () => {
  assert.deepEqual(messages({ result: 4, api: 'usapi', reason: 'storage-full' }), [
    'Storage full\nDelete recordings that are no longer needed.',
    '存储空间已满\n请删除不再需要的录制文件。'
  ])
  for (const reason of [...RECORDING_ERRORS, ...LIVE_ERRORS, ...QUICK_STREAM_ERRORS])
    for (const message of messages({ result: 1, api: 'api', reason })) assert.match(message ?? '', /^[^{}]{4,200}$/)
})

test('that it takes effect with a restart is said of what went well, too', () => {
  assert.deepEqual(messages({ result: 0, 'ext-need-reboot': true }), [
    'Operation succeeded\nIt takes effect when the device restarts.',
    '操作成功\n设备重启后生效。'
  ])
})

test('each of several devices has its own message', () => {
  const details = [
    { sn: 'A', result: 0 },
    { sn: 'B', result: -35, api: 'usapi' as const, reason: 'no-signal' as const },
    { sn: 'C', result: 12 }
  ]
  const [en, zh] = worded({ result: 0, details })
  assert.deepEqual(
    en?.details?.map(({ message }) => message),
    [undefined, 'No input signal\nCheck the input.', undefined]
  )
  assert.equal(zh?.details?.[1]?.message, '没有输入信号\n请检查输入。')
  assert.equal(en?.message, undefined)
})

test.run()
