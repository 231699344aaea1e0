// The keys of the matrix.
import { type Translation, t } from '../../text/language.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { TEXT } from './dialog-text.ts'

const KEYS: readonly (readonly [key: string | Translation, effect: Translation])[] = [
  [TEXT.arrows, TEXT.arrowsText],
  [TEXT.pages, TEXT.pagesText],
  ['Enter', TEXT.enterText],
  ['Shift+Enter', TEXT.shiftEnterText],
  [TEXT.space, TEXT.spaceText],
  ['12 Enter 7 Enter', TEXT.numbersText],
  [TEXT.letters, TEXT.lettersText],
  ['Shift+L', TEXT.lockText],
  ['Ctrl+Z', TEXT.undoText],
  ['Esc', TEXT.escapeText],
  ['/', TEXT.findText],
  ['?', TEXT.helpText]
]

export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t(TEXT.keysTitle)} onClose={onClose} cancelLabel={t(TEXT.close)}>
      <table className="takes">
        <thead>
          <tr>
            <th scope="col">{t(TEXT.key)}</th>
            <th scope="col">{t(TEXT.effect)}</th>
          </tr>
        </thead>
        <tbody>
          {KEYS.map(([key, effect], index) => (
            <tr key={index}>
              <th scope="row">{typeof key === 'string' ? <kbd>{key}</kbd> : t(key)}</th>
              <td>{t(effect)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  )
}
