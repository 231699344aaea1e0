import { Skeleton } from '../../ui/condition.tsx'

export function UserListScreen() {
  return <Skeleton />
}
