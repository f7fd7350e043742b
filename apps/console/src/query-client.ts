import { StorefrontError } from '@storefront/client'
import { QueryClient } from '@tanstack/react-query'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // The API client retries what is worth retrying.
      retry: false,
      refetchOnWindowFocus: (query) => !(query.state.error instanceof StorefrontError),
    },
  },
})
