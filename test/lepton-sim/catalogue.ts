/** The nodes and shapes of the simulated workspace, in the forms that `lep` reads. */
const gpu = (product: string, total: number, allocated: number): object => ({
  cpu: { type: 'AMD EPYC', allocated: 16, total: 192 },
  memory: { allocated: 65_536, total: 2_097_152 },
  gpu: { product, allocated, total },
});

export const nodeGroups = [
  {
    metadata: { id: 'h100-ng', name: 'h100-ng', created_at: 1_764_000_000_000 },
    spec: { workspaces: [], node_mode: 'lepton-node', gpu_product: 'NVIDIA-H100', desired_nodes: 2 },
    status: { ready_nodes: 2, quota_enabled: false },
  },
  {
    metadata: { id: 'cpu-ng', name: 'cpu-ng', created_at: 1_764_000_000_000 },
    spec: { workspaces: [], node_mode: 'customer-node', desired_nodes: 1 },
    status: { ready_nodes: 1, quota_enabled: false },
  },
] as const;

export const nodes: Readonly<Record<string, readonly object[]>> = {
  'h100-ng': ['node-1', 'node-2'].map((id, index) => ({
    metadata: { id, name: id, created_at: 1_764_000_000_000 },
    spec: {
      dedicated_node_group: 'h100-ng',
      hostname: id,
      unschedulable: false,
      resource: gpu('NVIDIA-H100-80GB-HBM3', 8, index * 2),
    },
    status: { status: ['Ready', 'Healthy'], workloads: [] },
  })),
  'cpu-ng': [
    {
      metadata: { id: 'node-9', name: 'node-9', created_at: 1_764_000_000_000 },
      spec: { dedicated_node_group: 'cpu-ng', hostname: 'node-9', unschedulable: false },
      status: { status: ['Ready', 'Healthy'], workloads: [] },
    },
  ],
};

export const shapes = [
  {
    metadata: { id: 'gpu.8xh100-80gb', name: 'gpu.8xh100-80gb' },
    spec: {
      name: 'gpu.8xh100-80gb',
      listable_in: ['job', 'pod'],
      cpu: 160,
      memory_in_mb: 1_800_000,
      accelerator_type: 'NVIDIA-H100-80GB',
      accelerator_num: 8,
      node_group_id: 'h100-ng',
    },
  },
  {
    metadata: { id: 'cpu.small', name: 'cpu.small' },
    spec: { name: 'cpu.small', listable_in: ['job'], cpu: 1, memory_in_mb: 4_096, node_group_id: 'cpu-ng' },
  },
] as const;

/** The answer of /workspace, which a login checks. */
export function workspaceInfo(id: string): object {
  const resources = { cpu: 0, memory: 0, accelerator_num: 0 };
  return {
    build_time: '2026-11-01',
    git_commit: '1.0.0',
    workspace_name: id,
    workspace_tier: 'Enterprise',
    workspace_state: 'normal',
    supported_shapes: {},
    workspace_disk_usage_bytes: 0,
    workloads: { num_deployments: 0, num_jobs: 0, num_pods: 0, num_secrets: 0, num_image_pull_secrets: 0 },
    resource_quota: { limit: resources, used: resources },
    features: {},
  };
}
