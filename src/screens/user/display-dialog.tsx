// Creates links for wall displays: screens that show problems and channels without a user.
import { addDisplay, DISPLAY_CODE_MINUTES } from '../../../contract/access/display.ts'
import type { Envelope } from '../../../contract/call.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { displayName } from '../../../contract/rules/account.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { CallButton } from '../../parts/actions.tsx'
import { CopyLine } from '../../parts/copy-line.tsx'
import { linkTo } from '../../paths.ts'
import { sendMutation } from '../../state/mutations.ts'
import { t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { TEXT } from './text.ts'

export const AddDisplayButton = () => (
  <CallButton call={addDisplay} icon="plus" label={t(TEXT.addDisplay)} onClick={() => openDialog(AddDisplayDialog)} />
)

function AddDisplayDialog({ onClose }: { onClose: () => void }) {
  const form = useForm({ name: displayName }, { name: '' }, async (values): Promise<Envelope> => {
    const { code, ...reply } = await sendMutation(addDisplay, values, {
      isShownElsewhere: form.showsError,
      success: { text: OUTCOME.added, names: [values.name] }
    })
    if (reply.result === SUCCESS) {
      onClose()
      void openDialog(DisplayLinkDialog, { name: values.name, code })
    }
    return reply
  })
  return (
    <FormDialog form={form} title={t(TEXT.addDisplay)} submitLabel={t(TEXT.createLink)} onClose={onClose}>
      <p className="muted">{t(TEXT.displayLead)}</p>
      <TextField {...form.field('name')} label={t(TEXT.displayName)} autoFocus />
    </FormDialog>
  )
}

/** Shows the link once. The code is behind `#`, so that browsers send it to no server. */
function DisplayLinkDialog({ name, code, onClose }: { name: string; code: string; onClose: () => void }) {
  const link = new URL(`#${linkTo('wall', { code })}`, location.href).href
  return (
    <Dialog title={t(TEXT.displayLink, name)} onClose={onClose} cancelLabel={t(TEXT.done)}>
      <p>{t(TEXT.displayLinkText, DISPLAY_CODE_MINUTES)}</p>
      <CopyLine text={link} />
    </Dialog>
  )
}
