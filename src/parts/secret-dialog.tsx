import { t } from '../text/language.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { openDialog } from '../ui/dialog/dialog-host.tsx'
import * as UI from '../ui/text.ts'

interface Secret {
  title: string
  /** How to use it. */
  text: string
  /** Shown in full, in several lines if it is long. */
  secret: string
}

/** Shows a secret that the hub sends only once. The dialog stays open when the page behind it changes. */
export const showSecret = (secret: Secret): Promise<boolean> => openDialog(SecretDialog, secret)

const SecretDialog = ({ title, text, secret, onClose }: Secret & { onClose: () => void }) => (
  <Dialog title={title} cancelLabel={t(UI.close)} onClose={onClose}>
    <p>{text}</p>
    <div className="row">
      <pre>{secret}</pre>
      <CopyButton text={secret} />
    </div>
  </Dialog>
)
