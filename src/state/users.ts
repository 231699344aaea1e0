// Users and user groups. Both come in one response, so that a user's group is always among the groups. Listen to it
// only for users with the permission to manage users.
import { atom } from 'nanostores'
import { listUsers } from '../../contract/access/user.ts'
import { createLiveValue } from './live-value.ts'

export const $users = createLiveValue({ call: listUsers, request: atom({}), pace: 'slowest', topic: 'user' })
