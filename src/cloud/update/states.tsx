// The states of updates and of their hubs.
import { cancelRollout, deleteRollout, pauseRollout, resumeRollout } from '../../../contract/cloud/calls.ts'
import type {
  HubRollout,
  RolloutHub,
  RolloutHubState,
  RolloutState,
  RolloutStep
} from '../../../contract/cloud/rollout.ts'
import { ROLLOUT_CAUSES, ROLLOUT_HUB_CAUSES } from '../../../contract/text/rollout-labels.ts'
import type { Action } from '../../parts/actions.tsx'
import { codeText } from '../../text/codes.ts'
import { t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { type State, StateLabel } from '../../ui/state-label.tsx'
import { changeRollout } from './store.ts'
import { TEXT } from './text.ts'

const ROLLOUT_STATES: Readonly<Record<RolloutState, State>> = {
  running: ['busy', ['Running', '进行中']],
  paused: ['warn', ['Paused', '已暂停']],
  stopped: ['bad', ['Stopped', '已停止']],
  done: ['good', ['Done', '已完成']],
  cancelled: ['off', ['Cancelled', '已取消']]
}

const HUB_STATES: Readonly<Record<RolloutHubState, State>> = {
  waiting: ['off', ['Waiting', '等待中']],
  active: ['busy', ['Starting', '正在启动']],
  done: ['good', ['Updated', '已更新']],
  failed: ['bad', ['Failed', '失败']],
  skipped: ['warn', ['Skipped', '已跳过']],
  cancelled: ['off', ['Cancelled', '已取消']]
}

const STEPS: Readonly<Record<RolloutStep, State>> = {
  starting: HUB_STATES.active,
  downloading: ['busy', ['Downloading', '正在下载']],
  installing: ['busy', ['Installing', '正在安装']],
  trial: ['busy', ['On trial', '试运行中']]
}

export const RolloutStateLabel = ({ rollout: { state, counts } }: { rollout: HubRollout }) => (
  // One that ended with failures is not good.
  <StateLabel
    state={state === 'done' && counts.failed > 0 ? ['warn', ROLLOUT_STATES.done[1]] : ROLLOUT_STATES[state]}
  />
)

export const RolloutHubStateLabel = ({ hub: { state, step, progress } }: { hub: RolloutHub }) => (
  <StateLabel
    state={step && state === 'active' ? STEPS[step] : HUB_STATES[state]}
    note={progress === undefined ? '' : ` ${progress} %`}
  />
)

/** Why an update was stopped. */
export const rolloutReason = ({ cause }: HubRollout): string | undefined => cause && t(ROLLOUT_CAUSES[cause])

/** Why a hub was skipped or has failed, and what it says about it. */
export function hubReason({ cause, detail, result }: Pick<RolloutHub, 'cause' | 'detail' | 'result'>): string {
  if (!cause) return ''
  const more = detail?.split('\n').join(', ') ?? (result && codeText(result))
  return more ? t(TEXT.reasonOf, t(ROLLOUT_HUB_CAUSES[cause]), more) : t(ROLLOUT_HUB_CAUSES[cause])
}

export const ROLLOUT_ACTIONS: readonly Action<HubRollout>[] = [
  {
    call: pauseRollout,
    icon: 'stop',
    verb: TEXT.pause,
    isApplicable: ({ state, counts }) => state === 'running' && counts.waiting > 0,
    run: async ([rollout]) => rollout !== undefined && changeRollout(pauseRollout, rollout, OUTCOME.paused)
  },
  {
    call: resumeRollout,
    icon: 'play',
    verb: TEXT.resume,
    isApplicable: ({ state }) => state === 'paused' || state === 'stopped',
    run: async ([rollout]) => rollout !== undefined && changeRollout(resumeRollout, rollout, OUTCOME.started)
  },
  {
    call: cancelRollout,
    icon: 'close',
    verb: TEXT.cancelRest,
    kind: 'danger',
    confirmText: () => t(TEXT.cancelText),
    isApplicable: ({ ended, counts }) => ended === 0 && counts.waiting > 0,
    run: async ([rollout]) => rollout !== undefined && changeRollout(cancelRollout, rollout, OUTCOME.stopped)
  },
  {
    call: deleteRollout,
    icon: 'delete',
    verb: TEXT.remove,
    kind: 'danger',
    confirmText: () => t(TEXT.removeText),
    isApplicable: ({ ended }) => ended > 0,
    run: async ([rollout]) => rollout !== undefined && changeRollout(deleteRollout, rollout, OUTCOME.deleted)
  }
]
