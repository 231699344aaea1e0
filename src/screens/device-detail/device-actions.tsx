// What can be done to the device: what lists offer too, and its own web page.
import { type Device, REGISTRATION } from '../../../contract/device.ts'
import { isInteractive } from '../../../contract/families.ts'
import { WEB_PAGE_RIGHT } from '../../../contract/web-page.ts'
import { ActButton, type Action, Actions } from '../../parts/actions.tsx'
import { ACCEPT, DEVICE_ACTIONS, deviceName, REJECT, REMOVE, THESE_DEVICES } from '../../parts/device-actions.tsx'
import { $may } from '../../state/session.ts'
import { t } from '../../text/language.ts'
import { Icon } from '../../ui/icon.tsx'
import { useStore } from '../../ui/use-store.ts'
import { webPage } from './store.ts'
import { TEXT } from './text.ts'

const WEB_PAGE = { who: WEB_PAGE_RIGHT }

/** What is to be decided on one that is not accepted. */
const DECISIONS: Readonly<Record<number, readonly Action<Device>[]>> = {
  [REGISTRATION.pending]: [ACCEPT, REJECT, REMOVE],
  [REGISTRATION.rejected]: [ACCEPT, REMOVE]
}

/** What it does right now stands for itself, the rest in a menu. */
const isShown = ({ icon }: Action<Device>) => icon === 'record' || icon === 'play' || icon === 'stop'

export function DeviceActions({ device }: { device: Device }) {
  const decisions = DECISIONS[device['reg-state']]
  const own = DEVICE_ACTIONS.filter(({ fits }) => !fits || fits(device))
  return (
    <span className="row">
      {!decisions && isInteractive(device) && <Ways device={device} />}
      <Actions
        actions={decisions ?? own.filter(isShown)}
        more={decisions ? undefined : own.filter((action) => !isShown(action))}
        rows={[device]}
        nameOf={deviceName}
        these={THESE_DEVICES}
      />
    </span>
  )
}

/** Ways into it. */
function Ways({ device: { sn, ...device } }: { device: Device }) {
  const may = useStore($may)
  const offline = device['online-date'] === 0 ? t(TEXT.offline) : undefined
  return (
    <>
      {may(WEB_PAGE) && !offline ? (
        <a className="button" href={webPage(sn)} target="_blank" rel="noopener noreferrer">
          <Icon name="language" />
          {t(TEXT.openPage)}
        </a>
      ) : (
        <ActButton call={WEB_PAGE} barred={offline} icon="language" label={t(TEXT.openPage)} onAct={() => {}} />
      )}
    </>
  )
}
