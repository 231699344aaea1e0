// Problems of all hubs, from the cloud.
import { atom } from 'nanostores'
import { type CloudProblem, listCloudProblems } from '../../../contract/cloud/calls.ts'
import { createLiveList } from '../../state/live-list.ts'

/** Problems that the overview shows. The menu shows how many there are. */
export const SHOWN_MAX = 8
/** Problems that the page of problems loads. */
const LOADED_MAX = 1000

const keyOf = ({ hub, id }: CloudProblem) => `${hub}/${id}`
const shared = { call: listCloudProblems, pace: 'slowest', topic: 'problem', keyOf } as const

/** The worst ones. */
export const $worstProblems = createLiveList({ ...shared, request: atom({ count: SHOWN_MAX }) })

/** What the page searches for. */
export const $problemRequest = atom<{ count: number; key?: string }>({ count: LOADED_MAX })
export const $problems = createLiveList({ ...shared, request: $problemRequest })
