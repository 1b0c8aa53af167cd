import { Outlet } from '@tanstack/react-router'
import { CenteredLayout } from './centered.layout.tsx'

/** The auth pages: one card in the middle. */
export const Page = () => (
  <CenteredLayout>
    <Outlet />
  </CenteredLayout>
)
