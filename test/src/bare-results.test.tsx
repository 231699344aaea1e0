// A hub that returns result codes without messages: the console has a sentence for every code and state, in both
// languages.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { addGroup, addUser, setGroup, setUser } from '../../contract/access/user.ts'
import type { Call } from '../../contract/call.ts'
import { addCatalog, renameCatalog } from '../../contract/catalog.ts'
import { CODE_KEYS, UNKNOWN_ERROR } from '../../contract/codes.ts'
import { LIVE_ERRORS, QUICK_STREAM_ERRORS } from '../../contract/device/live.ts'
import { RECORDING_ERRORS } from '../../contract/device/recording.ts'
import { LICENSE_STATE } from '../../contract/license/license.ts'
import { DEVICE_UPDATE_STATE } from '../../contract/rollout.ts'
import { enableChannel } from '../../contract/stream/channel.ts'
import { addOutput, setOutput } from '../../contract/stream/source.ts'
import { SYSTEM_STATUS_BITS, UPDATE_STATUS_BITS } from '../../contract/system.ts'
import { send } from '../../src/link/send.ts'
import { linkTo, loginLink } from '../../src/paths.ts'
import { sendMutation } from '../../src/state/mutations.ts'
import { $toasts } from '../../src/state/toasts.ts'
import { hubStatusText } from '../../src/text/hub-status.ts'
import { setLanguage } from '../../src/text/language.ts'
import { licenseStateText } from '../../src/text/license.ts'
import { settingsSaved } from '../../src/text/outcomes.ts'
import { responseLines } from '../../src/text/response-message.ts'
import { updateLabel } from '../../src/text/states.ts'
import { assertTranslated } from '../kit/both-languages.ts'
import { openConsole } from '../kit/console/console.ts'
import { hub, hubForEach } from '../kit/console/hub-for-each.ts'
import { click, findByRole, waitForText } from '../kit/console/page.ts'
import { inGivenLanguage } from './text/with-language.ts'

const test = suite('bare results')

hubForEach(test)

/**
 * What the console shows for a response that has the result code alone. 0 and 37 are no errors, 1005 and 1009
 * questions.
 */
const WORDED: Readonly<Record<number, readonly [en: string, zh: string]>> = {
  1: ['Still in progress', '正在进行'],
  2: ['The operation timed out', '操作超时'],
  3: ['Operation failed', '操作失败'],
  4: ['Try again later', '请稍后重试'],
  5: ['Not yet supported', '暂不支持'],
  6: ['Operation failed', '操作失败'],
  7: ['Invalid request parameters', '请求参数无效'],
  8: ['Not enough memory', '内存不足'],
  9: ['Not yet supported', '暂不支持'],
  10: ['Occupied', '被占用'],
  11: ['The device is busy', '设备忙'],
  12: ['The device is offline', '设备已离线'],
  13: ['Read or write error', '读写失败'],
  14: ['Read error', '读取失败'],
  15: ['Write error', '写入失败'],
  16: ['This configuration has been deleted by another user.', '该配置已被其他用户删除。'],
  17: ['Limit exceeded', '超出限制'],
  18: ['Limit exceeded', '超出限制'],
  19: ['Out of range', '超出范围'],
  20: ['Out of range', '超出范围'],
  21: ['Invalid data', '数据无效'],
  22: ['Already exists', '已存在'],
  23: ['Invalid file', '文件无效'],
  24: ['Not compatible with this type of device', '与设备类型不符'],
  25: ['Invalid file', '文件无效'],
  26: ['Read-only', '只读'],
  27: ['Out of range', '超出范围'],
  28: ['Connection lost', '连接已中断'],
  29: ['Not enough space', '空间不足'],
  30: ['Invalid file', '文件无效'],
  31: ['No permission to operate.', '没有操作权限。'],
  32: ['Invalid address', '地址无效'],
  33: ['Read error', '读取失败'],
  34: ['Not yet supported', '暂不支持'],
  35: ['Not possible in the current state', '当前状态无法操作'],
  36: ['Authorization failed', '认证失败'],
  38: ['Not possible in the current state', '当前状态无法操作'],
  39: ['Incorrect account or password', '用户名或密码错误'],
  40: ['Verification failed', '校验失败'],
  41: ['Already exists', '已存在'],
  42: ['Cancelled', '已取消'],
  43: ['Repeated operations', '重复操作'],
  44: ['Connection refused', '连接被拒绝'],
  45: ['Connection lost', '连接已中断'],
  46: ['The port is already in use', '端口已被占用'],
  47: ['No response from the device', '设备无响应'],
  48: ['The status has been changed by another people', '状态已被他人更改'],
  49: ['Invalid data', '数据无效'],
  50: ['Invalid data', '数据无效'],
  51: ['Not enough memory', '内存不足'],
  52: ['Not enough memory', '内存不足'],
  53: ['Invalid data', '数据无效'],
  54: ['Not enough memory', '内存不足'],
  1001: ['The playback key already exists', '拉流密钥已存在'],
  1002: ['The ingest key already exists', '推流密钥已存在'],
  1003: ['The name already exists', '名称已存在'],
  1004: ['The status has been changed by another people', '状态已被他人更改'],
  1006: ['Limit exceeded', '超出限制'],
  1007: ['The port is already in use', '端口已被占用'],
  1008: ['The user group does not exist', '用户组不存在'],
  1103: ['This account has expired', '此账号已到期'],
  2001: ['The NDI source is offline', 'NDI 源已离线'],
  2002: ['The NDI source is online', 'NDI 源已上线'],
  10004: ['No response from the device', '设备无响应'],
  10006: ['The device does not exist', '设备不存在'],
  10007: ['The device is offline', '设备已离线'],
  [-4]: ['Device error', '设备错误'],
  [-9]: ['Occupied', '被占用'],
  [-10]: ['Invalid request parameters', '请求参数无效'],
  [-11]: ['Not yet supported', '暂不支持'],
  [-14]: ['This configuration has been deleted by another user.', '该配置已被其他用户删除。'],
  [-20]: ['No license', '没有许可证'],
  [-28]: ['The input string is incorrect', '输入的字符串不正确'],
  [-102]: ['Invalid certificate', '证书无效'],
  [-103]: ['Invalid private key', '私钥无效'],
  [-107]: ['License subscription is expired, please renew it.', '许可证订阅已过期，请续订。'],
  [-109]: ['Certificate error', '证书错误'],
  [-110]: ['Certificate disabled', '证书已停用'],
  [-111]: ['activated by another user', '已被其他用户激活']
}

/** Opens a console whose hub replies to a write with `result` alone. */
async function openBareConsole(at?: string): Promise<(result: number) => Promise<unknown>> {
  let bare = 0
  const console = await openConsole(hub, at ? { at } : {})
  console.intercept = (path) => (path.includes('/channel/enable') ? Response.json({ result: bare }) : undefined)
  return (result) => {
    bare = result
    $toasts.set([])
    return sendMutation(enableChannel, { id: 1, enable: true }, { success: { text: settingsSaved } })
  }
}

test('a bare result code is shown as its sentence, in English and in Chinese', async () => {
  const write = await openBareConsole()
  for (const [code, [english, chinese]] of Object.entries(WORDED)) {
    await write(Number(code))
    await waitForText(english)
    setLanguage('zh')
    await waitForText(chinese)
    setLanguage('en')
  }
})

test('a bare result 41 says what exists, by the call that was made', async () => {
  const console = await openConsole(hub)
  console.intercept = (path) =>
    /\/(usr|usr-group|catalog|output)\/(add|set|rename)/.test(path) ? Response.json({ result: 41 }) : undefined
  const words = async (call: Call<never>) => responseLines(await send(call as Call<object>, {}))[0]
  const expected = [
    [addUser, 'User already exists', '用户已存在'],
    [setUser, 'User already exists', '用户已存在'],
    [addGroup, 'Group already exists', '用户组已存在'],
    [setGroup, 'Group already exists', '用户组已存在'],
    [addCatalog, 'Group already exists', '设备组已存在'],
    [renameCatalog, 'Group already exists', '设备组已存在'],
    [addOutput, 'The server already exists', '服务器已存在'],
    [setOutput, 'The server already exists', '服务器已存在']
  ] as const
  for (const [call, english, chinese] of expected) {
    assert.equal(await words(call), english)
    setLanguage('zh')
    assert.equal(await words(call), chinese)
    setLanguage('en')
  }
})

test('the table has every code of the catalogue', () => {
  const others = [0, 37, 1005, 1009, 1100, 1101, 1102]
  assert.deepEqual(
    Object.keys(CODE_KEYS).filter((code) => !(code in WORDED) && !others.includes(Number(code))),
    []
  )
  assert.deepEqual(
    Object.keys(WORDED).filter((code) => !(code in CODE_KEYS)),
    []
  )
})

test('the bare result 0 is a success', async () => {
  const write = await openBareConsole()
  await write(0)
  await waitForText(settingsSaved[0].replace(/ ?\{0\} ?/, ''))
})

test('the bare result 37 clears the login cache and leads to the login page, which returns to the page', async () => {
  const write = await openBareConsole(linkTo('channels'))
  assert.match(document.cookie, /headend-user=/)
  await write(37)
  await findByRole('textbox', 'User name')
  assert.equal(location.hash, `#${loginLink(linkTo('channels'))}`)
  assert.doesNotMatch(document.cookie, /headend-(user|type|permission|id|check)=/)
})

test('an object that is busy, and data that would be lost, are questions', async () => {
  const write = await openBareConsole()
  for (const [code, title] of [
    [1005, 'Occupied'],
    [1009, 'Data would be lost']
  ] as const) {
    const mutation = write(code)
    await findByRole('heading', title)
    await click(await findByRole('button', 'Cancel'))
    await mutation
  }
})

test('an unknown code is shown with its number', async () => {
  const write = await openBareConsole()
  await write(4711)
  await waitForText('Operation failed. Error code: 4711')
})

test('every named error of recordings, live streams and Quick Stream has its sentence', () => {
  for (const reason of [...RECORDING_ERRORS, ...LIVE_ERRORS, ...QUICK_STREAM_ERRORS])
    assertTranslated(inGivenLanguage(() => responseLines({ result: UNKNOWN_ERROR, reason })))
  assert.deepEqual(responseLines({ result: UNKNOWN_ERROR, reason: 'usb-full' })[0], 'USB drive full')
  assert.deepEqual(responseLines({ result: UNKNOWN_ERROR, reason: 'none-configured' })[0], 'No Quick Stream configured')
})

test('every state of a licence and of a device update has its sentence', () => {
  for (const state of Object.values(LICENSE_STATE)) assertTranslated(inGivenLanguage(() => [licenseStateText(state)]))
  for (const state of Object.values(DEVICE_UPDATE_STATE))
    assertTranslated(inGivenLanguage(() => [updateLabel({ state, progress: 40 }).text]))
})

test('every bit of the status of the hub has its sentence, the worst first', () => {
  assert.deepEqual(hubStatusText(0), [])
  // A banner on every page words a fault of the storage (test/src/frame/banners.test.tsx).
  const { storageFault: _, ...worded } = SYSTEM_STATUS_BITS
  for (const bit of [...Object.values(worded), ...Object.values(UPDATE_STATUS_BITS)])
    assertTranslated(inGivenLanguage(() => hubStatusText(bit)))
  assert.deepEqual(hubStatusText(SYSTEM_STATUS_BITS.newVersion | SYSTEM_STATUS_BITS.srtFailed), [
    'The SRT service failed to start.',
    'A new version is available.'
  ])
})

test('the dashboard shows the status of the hub', async () => {
  const console = await openConsole(hub)
  console.intercept = async (path) => {
    if (!path.includes('/system/status')) return undefined
    const response = await (await console.browser.raw('GET', path)).json()
    response.status.system.status['status-code'] = SYSTEM_STATUS_BITS.lowMemory
    return Response.json(response)
  }
  await waitForText('Memory is too low for normal operation.')
})

test.run()
