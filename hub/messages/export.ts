// Sentences for exports that cannot be imported.
import type { ExportFault, ExportRefusal } from '../../contract/backup/export.ts'
import { type Language, type Translation, translate } from './language.ts'

const FAULTS: Readonly<Record<ExportFault, readonly [what: Translation, next?: Translation]>> = {
  'not-an-export': [
    ['The file is not an export of a hub', '该文件不是中控导出的文件'],
    ['Choose a file that a hub has exported.', '请选择由中控导出的文件。']
  ],
  damaged: [
    ['The export is damaged, or was changed after it was signed', '导出文件已损坏，或在签名后被修改'],
    ['Download it again.', '请重新下载。']
  ],
  newer: [
    ['The export was made by a newer hub', '该导出文件由更新版本的中控生成'],
    ['Update this hub first.', '请先升级本中控。']
  ],
  value: [
    ['The export has a value that this hub does not accept: {of}', '导出文件中有本中控不接受的值：{of}'],
    ['Nothing was changed.', '未作任何更改。']
  ],
  inconsistent: [
    ['Objects in the export contradict each other: {of}', '导出文件中的对象相互矛盾：{of}'],
    ['Nothing was changed.', '未作任何更改。']
  ],
  'no-admin': [
    ['No administrator would remain after the import', '导入后将没有管理员'],
    ['Nothing was changed.', '未作任何更改。']
  ],
  passphrase: [['Wrong passphrase. Attempts left: {left}', '密码短语错误。剩余尝试次数：{left}']]
}

export function exportFaultLines(
  language: Language,
  fault: ExportFault,
  { of = '', left = 0 }: ExportRefusal
): string[] {
  const [what, next] = FAULTS[fault]
  const translated = (sentence: Translation) => translate(language, sentence, { of, left: String(left) })
  return next ? [translated(what), translated(next)] : [translated(what)]
}
