// Sentences about the parts of a deleted object that were not restored, or were replaced.
import type { LeftOutPart } from '../../contract/trash.ts'
import { type Language, type Translation, translate } from './language.ts'

const SENTENCES: Readonly<Record<LeftOutPart['of'], Translation>> = {
  name: ['The name “{was}” is in use. New name: “{now}”.', '名称“{was}”已被使用，新名称为“{now}”。'],
  port: ['Port {was} is in use. New port: {now}.', '端口 {was} 已被占用，新端口为 {now}。'],
  'play-key': ['The play key is in use. A new one was generated.', '播放密钥已被使用，已生成新密钥。'],
  'push-key': ['The push key is in use. A new one was generated.', '推流密钥已被使用，已生成新密钥。'],
  key: ['The stream key is in use. A new one was generated.', '流密钥已被使用，已生成新密钥。'],
  'sub-key': ['The key of the sub stream is in use. A new one was generated.', '子码流密钥已被使用，已生成新密钥。'],
  input: ['The input “{was}” no longer exists.', '输入“{was}”已不存在。'],
  backup: ['The backup input “{was}” no longer exists.', '备用输入“{was}”已不存在。'],
  output: ['The output “{was}” no longer exists, or is in use.', '输出“{was}”已不存在或正被使用。'],
  device: ['The device “{was}” no longer exists, or plays another channel.', '设备“{was}”已不存在或正在播放其他频道。'],
  channel: [
    'The channel “{was}” no longer exists, has another input, or has reached a limit.',
    '频道“{was}”已不存在、已有其他输入，或已达上限。'
  ],
  parent: ['The parent group no longer exists. The group was moved up.', '上级分组已不存在，已移到更高一级。'],
  members: [
    'Devices and groups that were moved elsewhere stay there: {was}.',
    '已移到别处的设备和分组保持不变，数量：{was}。'
  ],
  tag: [
    'The tag “{was}” gives access since. An administrator can add it again.',
    '标签“{was}”现已授予访问权限，可由管理员重新添加。'
  ],
  start: ['The channel was on before. It is now stopped.', '频道删除前已启动，现已停止。']
}

/** Sentences without the names of objects that the caller may not see. */
const HIDDEN: Readonly<Partial<Record<LeftOutPart['of'], Translation>>> = {
  input: ['Its input no longer exists.', '其输入已不存在。'],
  backup: ['A backup input no longer exists.', '一个备用输入已不存在。'],
  output: ['An output no longer exists, or is in use.', '一个输出已不存在或正被使用。'],
  device: ['A device no longer exists, or plays another channel.', '一台设备已不存在或正在播放其他频道。'],
  channel: [
    'A channel that used it no longer exists, has another input, or has reached a limit.',
    '曾使用它的一个频道已不存在、已有其他输入，或已达上限。'
  ]
}

/** The sentence about a part that was not restored, or was replaced. */
export function leftOutText(language: Language, { of, was, now }: LeftOutPart): string {
  const sentence = (was === undefined && HIDDEN[of]) || SENTENCES[of]
  return translate(language, sentence, { ...(was && { was }), ...(now && { now }) })
}
