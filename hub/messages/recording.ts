// What can go wrong with a recording, in words: what happened, and what to do next.
import type { RecordingError } from '../../contract/device/recording.ts'
import { type Language, type Pair, say } from './language.ts'

const RECORDING: Readonly<Record<RecordingError, readonly Pair[]>> = {
  'usb-lost': [
    ['The USB drive was removed', 'USB 存储已断开'],
    ['Plug it in again; what was recorded until then is on it.', '请重新插入，此前录制的内容仍在其中。']
  ],
  'usb-missing': [
    ['No USB drive', '没有 USB 存储'],
    ['Plug one in.', '请插入 USB 存储。']
  ],
  'usb-full': [
    ['USB drive full', 'USB 存储已满'],
    ['Delete recordings that are no longer needed.', '请删除不再需要的录制文件。']
  ],
  'slow-writes': [
    ['The storage is too slow', '存储写入速度过慢'],
    ['Use a faster one.', '请使用更快的存储设备。']
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
    ['System resources are nearly used up', '系统资源占用过高'],
    ['Stop something else first.', '请先停止其他任务。']
  ]
}

/** The sentences of a recording error, each for a line of its own. */
export function recordingLines(language: Language, error: RecordingError): string[] {
  return RECORDING[error].map((line) => say(language, line))
}
