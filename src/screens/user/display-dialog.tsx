// Creates links for wall displays: screens that show problems and channels without a user.
import { addDisplay, DISPLAY_CODE_MINUTES } from '../../../contract/access/display.ts'
import { displayName } from '../../../contract/rules/account.ts'
import { CallButton } from '../../parts/actions.tsx'
import { openNameDialog } from '../../parts/device/device-dialogs.tsx'
import { showSecret } from '../../parts/secret-dialog.tsx'
import { linkTo } from '../../paths.ts'
import { sendMutation } from '../../state/mutations.ts'
import { t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { TEXT } from './text.ts'

/** Asks for the name of the screen, then shows the link. */
async function addWallDisplay(): Promise<void> {
  const title = t(TEXT.addDisplay)
  let code = ''
  const isAdded = await openNameDialog({
    title,
    rule: displayName,
    async save(name, options) {
      const reply = await sendMutation(
        addDisplay,
        { name },
        { ...options, success: { text: OUTCOME.added, names: [name] } }
      )
      ;({ code } = reply)
      return reply
    }
  })
  if (!isAdded) return
  // The code is behind `#`, so that browsers send it to no server.
  const secret = new URL(`#${linkTo('wall', { code })}`, location.href).href
  await showSecret({ title, text: t(TEXT.displayText, DISPLAY_CODE_MINUTES), secret })
}

export const AddDisplayButton = () => (
  <CallButton call={addDisplay} icon="plus" label={t(TEXT.addDisplay)} onClick={addWallDisplay} />
)
