import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  ALREADY_EXISTS,
  BAD_ADDRESS,
  DEVICE_LOST,
  INVALID_ARG,
  NAME_EXISTS,
  NO_SPACE,
  NOT_PERMITTED,
  PORT_OCCUPIED,
  SUCCESS,
  TOO_MANY,
  TRY_AGAIN
} from '../../../contract/codes.ts'
import { LIVE_ERRORS, QUICK_STREAM_ERRORS } from '../../../contract/device/live.ts'
import { RECORDING_ERRORS } from '../../../contract/device/recording.ts'
import { addMessages } from '../../../hub/messages/response-messages.ts'
import { inBothLanguages } from '../../kit/both-languages.ts'

const test = suite('response messages')

type Fields = Parameters<typeof addMessages>[1]
type FieldsWithMessage = Fields & { message?: string; details?: { message?: string }[] }

const translated = (fields: Fields) => inBothLanguages((language) => addMessages(language, fields) as FieldsWithMessage)
const messages = (fields: Fields) => translated(fields).map(({ message }) => message)

test('a response without further details has no message', () => {
  for (const response of [
    { result: SUCCESS },
    { result: NOT_PERMITTED },
    { result: INVALID_ARG, field: 'name', fault: 'length', min: 1, max: 2 }
  ])
    assert.deepEqual(translated(response), [response, response])
})

test('a result code of a device or a licence needs no message either', () => {
  for (const response of [{ result: -107 }, { result: 13 }, { result: -28 }])
    assert.deepEqual(translated(response), [response, response])
})

test('a message includes the numbers and names of the response', () => {
  assert.deepEqual(messages({ result: PORT_OCCUPIED, port: 9001 }), [
    'Port 9001 occupied\nChoose another one.',
    '端口 9001 被占用\n请换一个。'
  ])
  for (const owner of ['web', 'files', 'links', 'srt', 'rtmp', 'forward', 'input', 'output'] as const) {
    const both = messages({ result: PORT_OCCUPIED, port: 9001, holder: { of: owner, name: 'Eye' } })
    for (const message of both) assert.match(message ?? '', /9001.*\n/)
    assert.equal(both[0]?.includes('Eye'), owner === 'input' || owner === 'output', owner)
  }
  const [user] = messages({ result: ALREADY_EXISTS, exists: 'user' })
  const [group] = messages({ result: ALREADY_EXISTS, exists: 'group' })
  const [server] = messages({ result: NAME_EXISTS, exists: 'server' })
  assert.match(user ?? '', /^User already exists\n/)
  assert.match(group ?? '', /^Group already exists\n/)
  assert.match(server ?? '', /^The server already exists\n/)
  const limitMessages = (of: 'user' | 'group' | 'server', max: number) => messages({ result: TOO_MANY, of, max })
  assert.deepEqual(limitMessages('user', 32), ['Limit exceeded\nmax users 32', '超出限制\n最多 32 个用户'])
  assert.deepEqual(limitMessages('group', 6)[0], 'Limit exceeded\nmax groups 6')
  assert.deepEqual(limitMessages('server', 16)[0], 'Limit exceeded\n16 servers at most')
})

test('a forbidden address has a message', () => {
  assert.match(
    messages({ result: BAD_ADDRESS, forbidden: true })[0] ?? '',
    /^Streams may not use this address\.\nChoose /
  )
})

test('the required space is shown if there is less than the minimum', () => {
  assert.deepEqual(messages({ result: NO_SPACE, 'free-size': 3 }), [
    'Less than 50 MB free\nFree some space first.',
    '可用空间不足 50 MB\n请先释放空间。'
  ])
  assert.deepEqual(messages({ result: NO_SPACE, 'free-size': 2 ** 40 }), [undefined, undefined])
})

test('a code of a device is translated according to its API generation', () => {
  const firstLine = (api: 'usapi' | 'mwapi' | 'api') => messages({ result: -9, api })[0]?.split('\n')[0]
  assert.deepEqual(
    [firstLine('usapi'), firstLine('mwapi'), firstLine('api')],
    ['The device is busy', 'Occupied', 'Occupied']
  )
  assert.equal(messages({ result: 777, api: 'api' })[1], '操作失败，错误码：777')
})

test('an error of a recording or stream has a message with the next step', () => {
  assert.deepEqual(messages({ result: TRY_AGAIN, api: 'usapi', reason: 'storage-full' }), [
    'Storage full\nDelete recordings that are no longer needed.',
    '存储空间已满\n请删除不再需要的录制文件。'
  ])
  for (const reason of [...RECORDING_ERRORS, ...LIVE_ERRORS, ...QUICK_STREAM_ERRORS])
    for (const message of messages({ result: 1, api: 'api', reason })) assert.match(message ?? '', /^[^{}]{4,200}$/)
})

test('a successful change that needs a restart has a message', () => {
  assert.deepEqual(messages({ result: SUCCESS, 'ext-need-reboot': true }), [
    'Operation succeeded\nIt takes effect when the device restarts.',
    '操作成功\n设备重启后生效。'
  ])
})

test('each device in details has its own message', () => {
  const details = [
    { sn: 'A', result: SUCCESS },
    { sn: 'B', result: -35, api: 'usapi' as const, reason: 'no-signal' as const },
    { sn: 'C', result: DEVICE_LOST }
  ]
  const [en, zh] = translated({ result: SUCCESS, details })
  assert.deepEqual(
    en?.details?.map(({ message }) => message),
    [undefined, 'No input signal\nCheck the input.', undefined]
  )
  assert.equal(zh?.details?.[1]?.message, '没有输入信号\n请检查输入。')
  assert.equal(en?.message, undefined)
})

test.run()
