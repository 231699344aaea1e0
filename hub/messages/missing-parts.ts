// Sentences for the parts that the stream engine does not find (contract/stream/missing-part.ts). The log stores them
// as codes and translates them into the language of each request.
import type { MissingPart } from '../../contract/stream/missing-part.ts'
import { type Language, type Translation, translate } from './language.ts'

/** The missing part, the features that need it, and the command that installs it. */
const MISSING_PART_SENTENCES: Readonly<Record<MissingPart, Translation>> = {
  'no-ffmpeg': ['ffmpeg. No channel can run. Install it with: {0}', 'ffmpeg。频道无法运行。安装命令：{0}'],
  'no-relay': ['headend-relay. No channel can run. Install it with: {0}', 'headend-relay。频道无法运行。安装命令：{0}'],
  'no-hide-args': [
    'headend-hide-args, which keeps logins and keys out of the process list. RTMP, RTSP and HTTP do not work. Install it with: {0}',
    'headend-hide-args（用于在进程列表中隐藏登录信息和密钥）。RTMP、RTSP 和 HTTP 无法使用。安装命令：{0}'
  ],
  'no-setpriv': [
    'setpriv. A process that waits for a peer keeps running if the stream engine is killed. Install it with: {0}',
    'setpriv。流引擎被强制终止后，等待对端的进程会继续运行。安装命令：{0}'
  ],
  'no-srt': [
    'headend-srt. The shared SRT port does not work. Install it with: {0}',
    'headend-srt。SRT 共享端口无法使用。安装命令：{0}'
  ],
  'no-rtmp': [
    'nginx or its RTMP module. The shared RTMP port does not work. Install it with: {0}',
    'nginx 或其 RTMP 模块。RTMP 共享端口无法使用。安装命令：{0}'
  ],
  'no-ndi': ['headend-ndi. NDI does not work. Install it with: {0}', 'headend-ndi。NDI 无法使用。安装命令：{0}'],
  'no-ndi-runtime': [
    'NDI runtime. NDI sources and outputs are stored but do not work. Install it from https://ndi.video ({0} in /usr/lib or /usr/local/lib)',
    'NDI 运行库。NDI 源和输出会保存，但无法工作。请从 https://ndi.video 安装（{0} 放在 /usr/lib 或 /usr/local/lib 中）'
  ]
}

/**
 * The sentence of a `MissingPartDetail`. Other details, such as the English sentences of older entries, are returned
 * unchanged.
 */
export function missingPartText(language: Language, detail: string): string {
  const [, part = '', value = ''] = /^([a-z-]+) (.*)$/s.exec(detail) ?? []
  return Object.hasOwn(MISSING_PART_SENTENCES, part)
    ? translate(language, MISSING_PART_SENTENCES[part as MissingPart], [value])
    : detail
}
