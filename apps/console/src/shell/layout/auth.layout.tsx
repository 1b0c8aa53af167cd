import { Outlet } from '@tanstack/react-router'
import { CenteredLayout } from './centered.layout.tsx'

export const Page = () => (
  <CenteredLayout hasCard>
    <Outlet />
  </CenteredLayout>
)
