// The tree of hub groups in the menu, with the group of the current screen selected.
import { useLocation } from 'wouter'
import { CatalogTree } from '../../parts/catalog-tree.tsx'
import { matchCloudRoute } from '../paths.ts'
import { HUB_GROUPS } from './text.ts'

export function HubGroups() {
  const [path] = useLocation()
  const { route, params } = matchCloudRoute(path) ?? {}
  return <CatalogTree title={HUB_GROUPS} selected={route === 'groupHubs' ? params?.catalog : undefined} />
}
