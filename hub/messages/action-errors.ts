// Sentences for errors of recordings, live streams and Quick Stream.
import type { ActionError } from '../../contract/device/action.ts'
import { type Language, type Translation, translate } from './language.ts'

/** The problem, then the next step if there is one. */
const SENTENCES: Readonly<Record<ActionError, readonly Translation[]>> = {
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

/** Lines for an error: the problem, then the next step if there is one. */
export function actionErrorLines(language: Language, error: ActionError): string[] {
  return SENTENCES[error].map((sentence) => translate(language, sentence))
}
