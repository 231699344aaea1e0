// A hub that returns result codes without messages: the console has a sentence for every code and state, in both languages.

import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { LIVE_ERRORS, QUICK_STREAM_ERRORS } from '../../contract/device/live.ts'
import { RECORDING_ERRORS } from '../../contract/device/recording.ts'
import { DEVICE_UPDATE_STATE } from '../../contract/firmware.ts'
import { LICENSE_STATE } from '../../contract/license/license.ts'
import { enableChannel } from '../../contract/stream/channel.ts'
import { SYSTEM_STATUS_BITS, UPDATE_STATUS_BITS } from '../../contract/system.ts'
import { sendMutation } from '../../src/state/mutations.ts'
import { $toasts } from '../../src/state/toasts.ts'
import { hubStatusText } from '../../src/text/hub-status.ts'
import { setLanguage } from '../../src/text/language.ts'
import { licenseStateText } from '../../src/text/license.ts'
import { settingsSaved } from '../../src/text/outcomes.ts'
import { responseLines } from '../../src/text/response-message.ts'
import { updateStatus } from '../../src/text/states.ts'
import { assertTranslated } from '../kit/both-languages.ts'
import { openConsole } from '../kit/console/console.ts'
import { hub, hubForEach } from '../kit/console/hub-for-each.ts'
import { click, findByRole, waitForText } from '../kit/console/page.ts'
import { inGivenLanguage } from './text/with-language.ts'

const test = suite('bare results')

hubForEach(test)

/** The codes with a documented wording. */
const WORDED: Readonly<Record<number, readonly [en: string, zh: string]>> = {
  2: ['The operation timed out', '操作超时'],
  7: ['Invalid request parameters', '请求参数无效'],
  9: ['Not yet supported', '暂不支持'],
  11: ['The device is busy', '设备忙'],
  16: ['This configuration has been deleted by another user.', '该配置已被其他用户删除。'],
  17: ['Limit exceeded', '超出限制'],
  29: ['Not enough space', '空间不足'],
  31: ['No permission to operate.', '没有操作权限。'],
  39: ['Incorrect account or password', '账号或密码错误'],
  43: ['Repeated operations', '重复操作'],
  46: ['The port is already in use', '端口已被占用'],
  1001: ['The playback key already exists', '拉流密钥已存在'],
  1002: ['The ingest key already exists', '推流密钥已存在'],
  1003: ['The name already exists', '名称已存在'],
  1004: ['The status has been changed by another people', '状态已被他人更改'],
  1006: ['Limit exceeded', '超出限制'],
  1007: ['The port is already in use', '端口已被占用'],
  1008: ['The user group does not exist', '用户组不存在'],
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
async function openBareConsole(): Promise<(result: number) => Promise<unknown>> {
  let bare = 0
  const console = await openConsole(hub)
  console.intercept = (path) => (path.includes('/channel/enable') ? Response.json({ result: bare }) : undefined)
  return (result) => {
    bare = result
    $toasts.set([])
    return sendMutation(enableChannel, { id: 1, enable: true }, { success: { text: settingsSaved } })
  }
}

test('every code with a documented wording shows it, in English and in Chinese', async () => {
  const write = await openBareConsole()
  for (const [code, [english, chinese]] of Object.entries(WORDED)) {
    await write(Number(code))
    await waitForText(english)
    setLanguage('zh')
    await waitForText(chinese)
    setLanguage('en')
  }
})

test('every other status code from 0 to 54 has a different sentence in both languages', () => {
  for (let code = 0; code <= 54; code++) {
    assertTranslated(inGivenLanguage(() => responseLines({ result: code })))
    assert.doesNotMatch(responseLines({ result: code })[0] ?? '', /Error code/, String(code))
  }
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
    assertTranslated(inGivenLanguage(() => responseLines({ result: 6, reason })))
  assert.deepEqual(responseLines({ result: 6, reason: 'usb-full' })[0], 'USB drive full')
  assert.deepEqual(responseLines({ result: 6, reason: 'none-configured' })[0], 'No Quick Stream configured')
})

test('every state of a licence and of a device update has its sentence', () => {
  for (const state of Object.values(LICENSE_STATE)) assertTranslated(inGivenLanguage(() => [licenseStateText(state)]))
  for (const state of Object.values(DEVICE_UPDATE_STATE))
    assertTranslated(inGivenLanguage(() => [updateStatus({ state, progress: 40 }).text]))
  assert.equal(updateStatus({ state: DEVICE_UPDATE_STATE.updating, progress: 40.4 }).text, 'Updating: 40 %')
  assert.equal(updateStatus({ state: DEVICE_UPDATE_STATE.failed, progress: 0, reason: 24 }).tone, 'bad')
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
