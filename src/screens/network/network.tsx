// The network page: the interfaces of the machine under the hub, and their changes.
import {
  type JoinWifiRequest,
  joinWifi,
  type NetworkInterface,
  type NetworkOutcome,
  type SetNetworkRequest,
  setNetwork
} from '../../../contract/machine/network.ts'
import { formatRoutes } from '../../../contract/rules/addressing.ts'
import { NotSetUp } from '../../parts/access-note.tsx'
import { CallButton } from '../../parts/actions.tsx'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { PortsCard } from '../../parts/ports/ports-card.tsx'
import { ROUTES } from '../../paths.ts'
import { t } from '../../text/language.ts'
import { megabits } from '../../text/numbers.ts'
import { Card } from '../../ui/card.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { StateLabel } from '../../ui/state-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { ChangeBanner } from './change-banner.tsx'
import { AddVlanDialog, EditInterfaceDialog } from './edit-dialog.tsx'
import { ipv6Rows } from './ipv6-fields.tsx'
import { PingCard } from './ping-card.tsx'
import { $network, saveInterface } from './store.ts'
import { STATES, TEXT, USES } from './text.ts'
import { WifiDialog } from './wifi-dialog.tsx'

export function NetworkScreen() {
  const { value, updatedAt } = useStore($network)
  const placeholder = usePlaceholder($network, !value, null)
  if (!value) return <>{placeholder}</>
  const { access, list, change } = value
  // While a change waits, the hub accepts no other.
  const editable = access.reason === undefined && !change
  const parents = list.filter(({ kind }) => kind === 'ethernet').map(({ iface }) => iface)
  return (
    <div className="cards">
      <ChangeBanner
        value={value}
        updatedAt={updatedAt}
        {...(editable && { onTryAgain: (outcome) => tryAgain(outcome, list, parents) })}
      />
      <NotSetUp parts={[[t(TEXT.network), access]]} />
      {list.length === 0 && <p className="muted nothing">{t(TEXT.empty)}</p>}
      {list.map((each) => (
        <InterfaceCard key={each.iface} current={each} editable={editable && !each.unmanaged} />
      ))}
      {editable && parents.length > 0 && (
        <p className="row span">
          <CallButton
            call={setNetwork}
            icon="plus"
            label={t(TEXT.addVlan)}
            onClick={() => openDialog(AddVlanDialog, { parents })}
          />
        </p>
      )}
      <PingCard />
      <PortsCard returnTo={ROUTES.network} />
      <p className="row span">
        <a className="button" href={`#${ROUTES.firewall}`}>
          {t(TEXT.firewall)}
        </a>
      </p>
    </div>
  )
}

/** Opens the dialog of a change that was undone, with its values, or asks again about a removal. */
function tryAgain({ iface, request }: NetworkOutcome, list: readonly NetworkInterface[], parents: string[]): void {
  const current = list.find((each) => each.iface === iface)
  if (request && 'ssid' in request) {
    if (current) void openDialog(WifiDialog, { current, wanted: request as Partial<JoinWifiRequest> })
    return
  }
  const wanted = request as Partial<SetNetworkRequest>
  if (wanted?.parent) void openDialog(AddVlanDialog, { parents, wanted })
  else if (current && wanted?.remove) void removeVlan(iface)
  else if (current) void openDialog(EditInterfaceDialog, { current, wanted })
}

async function removeVlan(iface: string): Promise<void> {
  const verb = t(TEXT.removeVlan, iface)
  const options = { text: t(TEXT.removeText), confirmLabel: verb, danger: true }
  if (await confirm(options)) await saveInterface({ iface, remove: true })
}

const addressText = ({ ipaddr, netmask }: NetworkInterface) => (ipaddr ? `${ipaddr} / ${netmask}` : '')

function addressingText({ 'use-dhcp': useDhcp }: NetworkInterface): string {
  return useDhcp === undefined ? '' : t(useDhcp ? TEXT.dhcp : TEXT.manual)
}

/** Speed of a USB bus with its name in the USB standards. */
function usbText(speed: number): string {
  const name = speed >= 5000 ? TEXT.superSpeed : speed >= 480 ? TEXT.highSpeed : TEXT.fullSpeed
  return `${megabits(speed)} (${t(name)})`
}

function wifiText({ wifi }: NetworkInterface): string {
  if (!wifi) return ''
  return wifi.hotspot ? t(TEXT.hotspotOf, wifi.ssid) : `${wifi.ssid} · ${wifi.signal ?? 0} %`
}

function InterfaceCard({ current, editable }: { current: NetworkInterface; editable: boolean }) {
  const { iface, kind, label, uses, status, speed, rx, tx, parent } = current
  const { 'usb-speed': usbSpeed, 'used-by': users = [], 'vlan-id': id } = current
  return (
    <Card title={label || iface} {...(label && { note: iface })}>
      <DescriptionList
        items={[
          [t(TEXT.status), <StateLabel key="status" state={STATES[status]} />],
          [t(TEXT.usedBy), [...users, ...(current['hidden-streams'] ? [t(TEXT.hiddenStreams)] : [])].join(', ')],
          [t(TEXT.uses), uses.map((use) => t(USES[use])).join(' · ')],
          [t(TEXT.wifiNetwork), wifiText(current)],
          [t(TEXT.address), addressText(current)],
          [t(TEXT.further), (current['further-addresses'] ?? []).join(', ')],
          [t(TEXT.addressing), addressingText(current)],
          [t(TEXT.gateway), current.gateway],
          [t(TEXT.dns), [current.dns1, current.dns2].filter(Boolean).join(', ')],
          [t(TEXT.routes), formatRoutes(current.routes ?? [])],
          ...ipv6Rows(current),
          ['VLAN', kind === 'vlan' && t(TEXT.vlan, id ?? '–', parent ?? '–')],
          [t(TEXT.speed), speed && megabits(speed)],
          [t(TEXT.usbSpeed), usbSpeed && usbText(usbSpeed)],
          [t(TEXT.traffic), rx !== undefined && tx !== undefined && t(TEXT.inOut, megabits(rx), megabits(tx))],
          [t(TEXT.mac), current.mac && <code>{current.mac}</code>],
          [t(TEXT.mtu), current.mtu]
        ]}
      />
      {current['is-console'] && <p className="muted">{t(TEXT.thisConsole)}</p>}
      {current.unmanaged && <p className="muted">{t(TEXT.unmanaged)}</p>}
      {editable && (
        <p className="row">
          <CallButton
            call={setNetwork}
            icon="edit"
            label={t(TEXT.edit, iface)}
            onClick={() => openDialog(EditInterfaceDialog, { current })}
          />
          {kind === 'wifi' && (
            <CallButton call={joinWifi} label={t(TEXT.wifi)} onClick={() => openDialog(WifiDialog, { current })} />
          )}
          {kind === 'vlan' && (
            <CallButton
              call={setNetwork}
              icon="delete"
              kind="danger"
              label={t(TEXT.removeVlan, iface)}
              onClick={() => removeVlan(iface)}
            />
          )}
        </p>
      )}
    </Card>
  )
}
