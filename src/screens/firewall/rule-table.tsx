// The rules with their effect and their counters.
import { FIREWALL_RULES_MAX } from '../../../contract/limits.ts'
import { portsOf } from '../../../contract/machine/firewall/effect.ts'
import {
  type FirewallRule,
  type FirewallState,
  type PacketCount,
  setFirewall
} from '../../../contract/machine/firewall/firewall.ts'
import { CallButton } from '../../parts/actions.tsx'
import { t } from '../../text/language.ts'
import { bytes, number } from '../../text/numbers.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { EmptyState } from '../../ui/placeholder.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { type Column, Table } from '../../ui/table/table.tsx'
import { describeRule, nameOfRule } from './port-text.ts'
import { RuleDialog } from './rule-dialog.tsx'
import { editSettings, type FirewallDraft } from './store.ts'
import { TEXT } from './text.ts'

interface Row {
  rule: FirewallRule
  index: number
  effect: string[]
  count: PacketCount | null
}

export const countText = ({ packets, bytes: size }: PacketCount): string =>
  t(TEXT.packets, number(packets), bytes(size))

const nameOf = ({ rule }: Row) => nameOfRule(rule)

const COLUMNS: readonly Column<Row>[] = [
  { key: 'port', title: TEXT.ports, text: nameOf, sort: ({ rule }) => portsOf(rule)[0] },
  { key: 'remark', title: TEXT.remark, text: ({ rule }) => rule.remark, hide: 'sm' },
  {
    key: 'status',
    title: TEXT.status,
    text: ({ rule }) => t(rule.enable ? TEXT.enabled : TEXT.disabled),
    cell: ({ rule: { enable } }) => (
      <StatusLabel tone={enable ? 'good' : 'off'} text={t(enable ? TEXT.enabled : TEXT.disabled)} />
    )
  },
  { key: 'effect', title: TEXT.effect, text: ({ effect }) => effect.join('. ') },
  {
    key: 'received',
    title: TEXT.received,
    text: ({ count }) => (count ? countText(count) : '–'),
    sort: ({ count }) => count?.packets ?? -1,
    hide: 'sm'
  }
]

interface RuleTableProps {
  state: FirewallState
  /** The settings on screen: those of the hub, or the draft. */
  settings: FirewallDraft
  editable: boolean
}

export function RuleTable({ state, settings, editable }: RuleTableProps) {
  const { rules } = settings
  const counts = settings === state ? state.counts : undefined
  const rows = rules.map(
    (rule, index): Row => ({
      rule,
      index,
      effect: describeRule(rule, settings, state.ports),
      count: counts?.[index] ?? null
    })
  )
  const save = (next: FirewallRule[]) => editSettings(settings, { rules: next })
  const replace = (index: number, next: readonly FirewallRule[]) => save(rules.toSpliced(index, 1, ...next))
  const edit = ({ rule, index }: Row) =>
    openDialog(RuleDialog, { rule, others: rules.toSpliced(index, 1), onSave: (next) => replace(index, [next]) })
  const add = () => openDialog(RuleDialog, { others: rules, onSave: (rule) => save([...rules, rule]) })
  const full = rules.length >= FIREWALL_RULES_MAX ? t(TEXT.tooMany, FIREWALL_RULES_MAX) : undefined
  const addButton = (
    <CallButton call={setFirewall} icon="plus" label={t(TEXT.add)} disabledReason={full} onClick={add} />
  )
  return (
    <Table
      settingsKey="firewall"
      label={t(TEXT.rules)}
      columns={COLUMNS}
      rows={rows}
      keyOf={nameOf}
      nameOf={nameOf}
      toolbar={editable && rules.length > 0 ? addButton : <h2>{t(TEXT.rules)}</h2>}
      rowActions={
        editable
          ? (row) => <RuleActions row={row} onEdit={() => edit(row)} onReplace={(next) => replace(row.index, next)} />
          : undefined
      }
      placeholder={
        rules.length === 0 ? <EmptyState title={t(TEXT.empty)}>{editable && addButton}</EmptyState> : undefined
      }
    />
  )
}

interface RuleActionsProps {
  row: Row
  onEdit: () => unknown
  onReplace: (next: FirewallRule[]) => void
}

function RuleActions({ row, onEdit, onReplace }: RuleActionsProps) {
  const { rule } = row
  const name = nameOf(row)
  return (
    <>
      <CallButton
        call={setFirewall}
        icon={rule.enable ? 'stop' : 'play'}
        label={t(rule.enable ? TEXT.disable : TEXT.enable, name)}
        iconOnly
        onClick={() => onReplace([{ ...rule, enable: !rule.enable }])}
      />
      <CallButton call={setFirewall} icon="edit" label={t(TEXT.edit, name)} iconOnly onClick={onEdit} />
      <CallButton
        call={setFirewall}
        icon="delete"
        kind="danger"
        label={t(TEXT.remove, name)}
        iconOnly
        onClick={() => onReplace([])}
      />
    </>
  )
}
