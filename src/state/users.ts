// Users and user groups, both in one answer, so that a user's group is always among the groups. Only for who may manage them.
import { atom } from 'nanostores'
import { listUsers } from '../../contract/user.ts'
import { liveValue } from './live-value.ts'

export const $people = liveValue({ call: listUsers, request: atom({}), pace: 'slowest', topic: 'user' })
