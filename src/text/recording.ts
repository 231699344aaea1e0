// Words for recordings of devices and of channels.
import type { Translation } from './language.ts'

export const startRecording: Translation = ['Start recording', '开始录制']
export const stopRecording: Translation = ['Stop recording', '停止录制']
export const recording: Translation = ['Recording', '录制中']
