// Sentences for errors and states that devices, licences and updates report by name or number. The console uses them
// for names and numbers in responses, the hub for its messages and logs.
import type { ActionError } from '../device/live.ts'
import type { StatusInfo } from '../device/status.ts'
import { LICENSE_STATE } from '../license/license.ts'
import type { Translation } from './language.ts'

/** The problem, then the next steps if there are any. */
export type ErrorSentences = readonly Translation[]

/** Errors of recordings, live streams and Quick Stream. */
export const ACTION_ERROR_SENTENCES: Readonly<Record<ActionError, ErrorSentences>> = {
  'usb-lost': [
    ['The USB drive was removed', 'USB 存储已断开'],
    ['Reconnect it. The recording up to that point is kept.', '请重新插入，此前的录制内容已保留。']
  ],
  'usb-missing': [
    ['No USB drive', '没有 USB 存储'],
    ['Connect a USB drive.', '请插入 USB 存储。']
  ],
  'usb-full': [
    ['USB drive full', 'USB 存储已满'],
    ['Delete recordings that are no longer needed.', '请删除不再需要的录制文件。']
  ],
  'slow-writes': [
    ['The storage is too slow', '存储写入速度过慢'],
    ['Use a faster drive.', '请使用更快的存储设备。']
  ],
  'read-only': [
    ['No permission to write: the storage is read-only', '没有写入权限：存储为只读'],
    ['Remove its write protection.', '请解除写保护。']
  ],
  'storage-full': [
    ['Storage full', '存储空间已满'],
    ['Delete recordings that are no longer needed.', '请删除不再需要的录制文件。']
  ],
  'storage-missing': [
    ['No local storage', '没有本地存储'],
    ['Check or replace the storage.', '请检查或更换存储设备。']
  ],
  'ndi-limit': [
    ['No more NDI sources can be recorded', '可录制的 NDI 源已达上限'],
    ['Stop another NDI recording first.', '请先停止其他 NDI 录制。']
  ],
  'ndi-no-signal': [
    ['The NDI source has no signal', 'NDI 源无信号'],
    ['Check that the source is on.', '请检查该源是否已开启。']
  ],
  'full-ndi-unsupported': [
    ['Full NDI cannot be recorded', '不支持录制 Full NDI'],
    ['Choose an NDI HX source.', '请选择 NDI HX 源。']
  ],
  'system-busy': [
    ['System resources are almost exhausted', '系统资源占用过高'],
    ['Stop other tasks first.', '请先停止其他任务。']
  ],
  'bad-settings': [
    ['Invalid live stream settings', '直播设置无效'],
    ['Check its settings, then try again.', '请检查设置后重试。']
  ],
  'codec-error': [
    ['Codec error', '编解码错误'],
    ['Choose another codec or a lower resolution.', '请更换编码格式或降低分辨率。']
  ],
  'no-signal': [
    ['No input signal', '没有输入信号'],
    ['Check the input.', '请检查输入。']
  ],
  locked: [
    ['Live streaming is locked', '直播已锁定'],
    ['Unlock it on the device first.', '请先在设备上解锁。']
  ],
  'network-down': [
    ['Network disconnected', '网络已断开'],
    ['Check the network of the device.', '请检查设备的网络。']
  ],
  rebooting: [
    ['Busy: the device is rebooting', '设备正在重启'],
    ['Try again in a moment.', '请稍后重试。']
  ],
  'none-configured': [
    ['No Quick Stream configured', '未配置快速推流'],
    ['Select its servers in the device settings.', '请在设备设置中选择服务器。']
  ],
  'too-many': [
    ['maximum Quick Stream servers reached', '快速推流服务器已达上限'],
    ['Remove one first.', '请先移除一个。']
  ],
  'test-running': [
    ['A stream test is running', '正在进行推流测试'],
    ['Wait until it is finished.', '请等待其完成。']
  ],
  'operation-running': [
    ['Another operation is running', '正在执行其他操作'],
    ['Wait until it is finished.', '请等待其完成。']
  ],
  'none-active': [['No Quick Stream is active', '没有正在进行的快速推流']]
}

/** By `LICENSE_STATE`. Some of these numbers mean something else as a result code of the hub. */
export const LICENSE_STATE_SENTENCES: Readonly<Record<number, Translation>> = {
  [LICENSE_STATE.valid]: ['The license is valid', '许可证有效'],
  [LICENSE_STATE.invalid]: ['Invalid certificate', '证书无效'],
  [LICENSE_STATE.notExist]: ['The license does not exist', '许可证不存在'],
  [LICENSE_STATE.none]: ['No license', '没有许可证'],
  [LICENSE_STATE.caLicenseError]: ['The certificate of the license is not trusted', '许可证的证书不受信任'],
  [LICENSE_STATE.caKeyError]: ['The key of the license does not match its certificate', '许可证的密钥与证书不匹配'],
  [LICENSE_STATE.expired]: ['License subscription is expired, please renew it.', '许可证订阅已过期，请续订。'],
  [LICENSE_STATE.error]: ['Certificate error', '证书错误'],
  [LICENSE_STATE.disabled]: ['Certificate disabled', '证书已停用'],
  [LICENSE_STATE.occupied]: ['activated by another user', '已被其他用户激活']
}

/** A status word with its tone. */
type StatusSentence = readonly [tone: StatusInfo['tone'], text: Translation]

/** `{0}` is the reason. */
export const UPDATE_FAILED: StatusSentence = ['bad', ['Failed: {0}', '失败：{0}']]

/** By `DEVICE_UPDATE_STATE`, from 0. `{0}` is the progress in percent. */
export const UPDATE_STATE_SENTENCES: readonly StatusSentence[] = [
  ['good', ['Updated', '已更新']],
  ['off', ['Queued', '排队中']],
  ['busy', ['Updating: {0} %', '正在更新：{0} %']],
  ['busy', ['Installing: {0} %', '正在安装：{0} %']],
  ['busy', ['Restarting', '正在重启']]
]
