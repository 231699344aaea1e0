// The switch of all HLS outputs, beside the port that serves them.
import { setSettings, settingAccess } from '../../../contract/settings.ts'
import { type HlsState, listPorts } from '../../../contract/web/ports.ts'
import { SwitchField } from '../../form/switch-field.tsx'
import { send } from '../../link/send.ts'
import { sendMutation } from '../../state/mutations.ts'
import { $isAllowed } from '../../state/session.ts'
import { t } from '../../text/language.ts'
import { number } from '../../text/numbers.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { useStore } from '../../ui/use-store.ts'
import { QUESTION } from '../actions.tsx'
import { TEXT } from './text.ts'

/** The permission for the switch, as that of a call. */
const EDIT = { ...setSettings, access: settingAccess('hls').edit }

const setHls = (enable: boolean) =>
  sendMutation(setSettings, { hls: { enable } }, { success: { text: OUTCOME.settingsSaved, names: ['HLS'] } })

/** Turns HLS off after a confirmation, which says what stops. */
async function turnOff(known: HlsState): Promise<void> {
  // The numbers on the page may be seconds old.
  const { running, players } = (await send(listPorts, {})).hls ?? known
  const label = t(TEXT.stopHls)
  const text = running > 0 ? t(TEXT.stopHlsText, number(running), number(players)) : t(TEXT.stopHlsIdle)
  if (await confirm({ title: t(QUESTION, label), text, confirmLabel: label, danger: running > 0 })) await setHls(false)
}

export function HlsSwitch({ hls }: { hls: HlsState }) {
  const mayEdit = useStore($isAllowed)(EDIT)
  return (
    <fieldset className="field" disabled={!mayEdit}>
      <SwitchField
        name="enable-hls"
        value={hls.enable}
        label={t(TEXT.serveHls)}
        hint={t(TEXT.serveHlsHint)}
        onValueChange={(isOn) => void (isOn ? setHls(true) : turnOff(hls))}
        onBlur={() => {}}
      />
    </fieldset>
  )
}
