import { useCallback } from 'react';
import { useNavigate } from 'react-router';

/** Returns a function that shows another workspace. Its id in the address makes the address one to share. */
export function useSwitchWorkspace(): (workspaceId: string) => void {
  const navigate = useNavigate();
  return useCallback(
    (workspaceId) => void navigate(`/?workspace=${encodeURIComponent(workspaceId)}`),
    [navigate],
  );
}
