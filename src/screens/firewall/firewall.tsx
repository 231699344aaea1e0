// The firewall page: mode and rules, edited as a draft whose effect is shown before it is applied.
import { blocks, openSources } from '../../../contract/machine/firewall/effect.ts'
import {
  confirmFirewall,
  FIREWALL_MODE,
  type FirewallMode,
  type FirewallSettings,
  type FirewallState,
  type HubFirewallPort,
  setFirewall
} from '../../../contract/machine/firewall/firewall.ts'
import { NotSetUp } from '../../parts/access-note.tsx'
import { UndoneCard, WaitingCard } from '../../parts/confirmation/cards.tsx'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { READ_ONLY } from '../../parts/settings/settings-form.tsx'
import { $isAllowed } from '../../state/session.ts'
import { dateTime } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { numberText, streamTexts } from './port-text.ts'
import { countText, RuleTable } from './rule-table.tsx'
import { DifferentCard, DraftCard } from './settings-cards.tsx'
import { $draft, $firewall, editSettings, type FirewallDraft, isSameSettings } from './store.ts'
import { TEXT } from './text.ts'

const MODES = [
  { value: FIREWALL_MODE.rules, title: TEXT.rulesMode, text: TEXT.rulesModeText },
  { value: FIREWALL_MODE.blocked, title: TEXT.blockedMode, text: TEXT.blockedModeText },
  { value: FIREWALL_MODE.open, title: TEXT.openMode, text: TEXT.openModeText }
] as const

export function FirewallScreen() {
  const { value: state, updatedAt } = useStore($firewall)
  const edited = useStore($draft)
  const mayEdit = useStore($isAllowed)(setFirewall)
  const placeholder = usePlaceholder($firewall, !state, null)
  if (!state) return <>{placeholder}</>
  const { access, change, last } = state

  const editable = access.reason === undefined && !change && mayEdit
  const draft = editable && edited && !isSameSettings(edited, state) ? edited : undefined
  const settings = change ?? draft ?? state
  // Ports are called open or blocked only by settings that are in effect, or by a change that the user makes.
  const isKnown = state['in-effect'] === true || change !== undefined || draft !== undefined
  const confirmation = { call: confirmFirewall, subject: t(TEXT.theFirewall) }
  const request = last?.request
  // The hub then knows the ports in use, and rules that were imported, but not what the firewall does.
  const isNotSetUp = access.reason !== undefined && state['in-effect'] === undefined
  return (
    <div className="cards">
      {change && <WaitingCard {...confirmation} by={change.by} deadline={updatedAt + change['seconds-left'] * 1000} />}
      {draft && <DraftCard state={state} draft={draft} />}
      {!change && !draft && (
        <UndoneCard {...confirmation} last={last} onTryAgain={request && (() => editSettings(state, request))} />
      )}
      {!change && !draft && state['in-effect'] === false && <DifferentCard state={state} />}
      <NotSetUp parts={[[t(TEXT.firewall), access]]} />
      {!mayEdit && !isNotSetUp && <p className="muted span">{t(READ_ONLY)}</p>}
      {access.machine === 'manage' && (
        <ModeCard settings={settings} editable={editable} isKnown={isKnown || state['in-effect'] !== undefined} />
      )}
      {(!isNotSetUp || settings.rules.length > 0) && (
        <section className="span">
          <RuleTable state={state} settings={settings} editable={editable} />
          <CountNote state={state} />
        </section>
      )}
      <HubPortsCard ports={state.ports} settings={isKnown ? settings : undefined} />
    </div>
  )
}

interface ModeCardProps {
  settings: FirewallDraft
  editable: boolean
  /** Whether the hub knows the state of the firewall. */
  isKnown: boolean
}

function ModeCard({ settings, editable, isKnown }: ModeCardProps) {
  const { mode } = settings
  const current = MODES.find(({ value }) => value === mode) ?? MODES[2]
  const choose = (value: string) => editSettings(settings, { mode: Number(value) as FirewallMode })
  return (
    <Card title={t(TEXT.mode)} fullWidth>
      {!isKnown ? (
        <p>{t(TEXT.unknownMode, t(current.title))}</p>
      ) : editable ? (
        <SegmentedControl
          label={t(TEXT.mode)}
          options={MODES.map(({ value, title }) => ({ value: String(value), label: t(title) }))}
          value={String(mode)}
          onChange={choose}
        />
      ) : (
        <p>{t(current.title)}</p>
      )}
      {isKnown && <p>{t(current.text)}</p>}
      {isKnown && <p className="muted">{t(TEXT.always)}</p>}
    </Card>
  )
}

/** Since when the kernel counts, and what it has refused. */
function CountNote({ state }: { state: FirewallState }) {
  const { refused, 'counted-since': since } = state
  if (since === undefined || !refused) return null
  return <p className="muted">{t(TEXT.refused, dateTime(since), countText(refused))}</p>
}

interface HubPortsCardProps {
  ports: readonly HubFirewallPort[]
  /** Absent: the hub does not know which settings are in effect. */
  settings: FirewallSettings | undefined
}

function HubPortsCard({ ports, settings }: HubPortsCardProps) {
  return (
    <Card title={t(TEXT.effect)} fullWidth>
      <DescriptionList
        items={ports.map((port) => [
          `${port.label} · ${numberText(port)}`,
          <PortState key={numberText(port)} port={port} settings={settings} />
        ])}
      />
      <p className="muted">{t(TEXT.otherFirewalls)}</p>
    </Card>
  )
}

function PortState({ port, settings }: { port: HubFirewallPort; settings: FirewallSettings | undefined }) {
  const open = port['is-console'] ? TEXT.alwaysOpen : TEXT.open
  const isBlocked = settings && blocks(settings, port)
  const sources = settings && isBlocked ? openSources(settings, port) : []
  const streams = streamTexts([port])
  return (
    <span className="row">
      <StatusLabel
        tone={isBlocked === false || sources.length > 0 ? 'good' : 'off'}
        text={
          sources.length > 0
            ? t(TEXT.openFrom, sources.join(', '))
            : t(isBlocked === undefined ? TEXT.unknown : isBlocked ? TEXT.blocked : open)
        }
      />
      {streams.length > 0 && (
        <small className="muted">
          {t(TEXT.usedBy)}: {streams.join(', ')}
        </small>
      )}
    </span>
  )
}
