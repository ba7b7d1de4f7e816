
local no_value = 4294967294
local unavailable = 2014 -- Requested node configuration is not available
local unsupported = 2122 -- Requested GRES option unsupported by configured SelectType plugin

local function gpus_in(...)
    local gpus = 0
    for _, text in ipairs({...}) do
        for rest in string.gmatch(text, "gpu([^,]*)") do
            gpus = gpus + (tonumber(string.match(rest, ":(%d+)$")) or 1)
        end
    end
    return gpus
end

function slurm_job_submit(job, partitions, user)
    local account = job.account
    if account == "" then account = nil end
    if (required and not account) or (account and not free and not accounts[account]) then
        return slurm.ESLURM_INVALID_ACCOUNT
    end
    if not account and default_account ~= "" and not free then job.account = default_account end
    local gpus_a_node = gpus_in(job.tres_per_node or "")
    local gpus = gpus_a_node + gpus_in(job.tres_per_job or "", job.tres_per_socket or "", job.tres_per_task or "")
    if whole_node and gpus > 0 then return unsupported end
    if time_required and job.time_limit == no_value then return slurm.ESLURM_MISSING_TIME_LIMIT end
    local partition = job.partition or default_partition
    if gpus_a_node > (gpus_per_node[partition] or gpus_a_node) then return unavailable end
    local most = cpus_per_gpu[partition]
    if most and gpus > 0 then
        local cpus = (job.num_tasks ~= no_value and job.num_tasks or 1) * (job.cpus_per_task < 65534 and job.cpus_per_task or 1)
        if cpus > most * gpus * (job.min_nodes ~= no_value and job.min_nodes > 0 and job.min_nodes or 1) then return unavailable end
    end
    return slurm.SUCCESS
end

function slurm_job_modify(job, record, partitions, user)
    return slurm.SUCCESS
end
