// The question before a downgrade.
import type { DowngradePrompt } from '../../contract/rules/file.ts'
import { type Translation, t } from './language.ts'

const LOWER: Translation = [
  'Version {to} is lower than the installed {from}. Data and settings may be lost. Install it?',
  '版本 {to} 低于当前版本 {from}，数据和设置可能会丢失。是否安装？'
]

export function downgradeQuestion({ from, to }: DowngradePrompt): string {
  return t(LOWER, { from, to })
}
