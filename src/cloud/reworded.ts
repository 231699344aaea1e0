// Sentences of the shared parts that name the hub, and what the pages of the cloud say instead. The build replaces them
// (`rollup.cloud.mjs`).
import type { Translation } from '../text/language.ts'

/** By the English sentence of the shared part. */
export const REWORDED: Readonly<Record<string, Translation>> = {
  'The hub cannot be reached. The page continues when it responds again.': [
    'The cloud cannot be reached. The page continues when it responds again.',
    '无法连接到云平台。恢复响应后页面将自动继续。'
  ],
  'Write error': [
    'The database of the cloud does not answer. Check later whether the change was stored.',
    '云平台的数据库无响应。请稍后确认更改是否已保存。'
  ],
  'This part of the console could not be loaded. Check the connection to the hub.': [
    'This part of the page could not be loaded. Check the connection to the cloud.',
    '页面的这一部分未能加载。请检查与云平台的连接。'
  ],
  'This affects the protection of the hub. Enter your password again, so that nobody else does it at an unattended console.':
    [
      'This affects the protection of the cloud. Enter your password again, so that nobody else does it at an unattended computer.',
      '此操作影响云平台的安全。请再次输入密码，以防他人在无人看管的电脑上操作。'
    ]
}
