// Problems of all hubs, worst first.
import { useLayoutEffect } from 'react'
import type { CloudProblem } from '../../../contract/cloud/calls.ts'
import * as PROBLEM_TEXT from '../../parts/problem/text.ts'
import { type ListFilter, ResourceList } from '../../parts/resource-list.tsx'
import { useQuery } from '../../state/location.ts'
import { t } from '../../text/language.ts'
import { ElapsedTime } from '../../ui/elapsed-time.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { Cause, OPEN_PROBLEM } from './cause.tsx'
import { labelOf, nameOf } from './describe.ts'
import { ListLimits, useGroupFilter } from './list-parts.tsx'
import { $problemRequest, $problems } from './store.ts'
import { TEXT } from './text.ts'

const COLUMNS: readonly Column<CloudProblem>[] = [
  { key: 'state', title: TEXT.state, cell: (problem) => <StatusLabel {...labelOf(problem)} /> },
  {
    key: 'name',
    title: TEXT.name,
    cell: (problem) => (
      <strong className="cut" data-tip="">
        {nameOf(problem)}
      </strong>
    )
  },
  { key: 'hub', title: TEXT.hub, text: (problem) => problem['hub-name'], hide: 'xs' },
  {
    key: 'cause',
    title: TEXT.cause,
    cell: (problem) => (
      <span className="cut" data-tip="">
        <Cause problem={problem} />
      </span>
    )
  },
  {
    key: 'since',
    title: TEXT.since,
    cell: ({ since }) => (since > 0 ? <ElapsedTime since={since} /> : ''),
    hide: 'sm'
  }
]

const SEVERITY: ListFilter<CloudProblem> = {
  name: 'severity',
  label: TEXT.severity,
  get chips() {
    return [
      { value: 'bad', label: t(TEXT.bad) },
      { value: 'warn', label: t(TEXT.warn) }
    ]
  },
  matches: ({ severity }, value) => severity === value
}

export function ProblemListScreen() {
  const key = useQuery().get('key') ?? ''
  useLayoutEffect(() => $problemRequest.set({ ...$problemRequest.get(), key }), [key])
  const { items, total, response } = useStore($problems)
  return (
    <ResourceList
      store={$problems}
      settingsKey="cloud-problems"
      title={PROBLEM_TEXT.title}
      columns={COLUMNS}
      keyOf={({ hub, id }) => `${hub}/${id}`}
      nameOf={nameOf}
      searchTexts={(problem) => [nameOf(problem), problem['hub-name'], problem.hub]}
      filters={[SEVERITY, ...useGroupFilter(items)]}
      emptyState={{ icon: 'check', title: t(PROBLEM_TEXT.none), text: t(PROBLEM_TEXT.noneText) }}
      actions={[OPEN_PROBLEM]}
      footer={<ListLimits shown={items.length} total={total} unlisted={response?.unlisted} />}
    />
  )
}
