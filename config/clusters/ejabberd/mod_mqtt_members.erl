%% An ejabberd module for a cluster that serves timer nodes as one broker. It sends the other members the updates that
%% mod_mqtt does not send. README.md in the folder above describes how to compile and install it.
%%
%% 1. Retained messages. mod_mqtt keeps their payloads in a database table that all members share, but each member has
%%    its own list of their topics, which it searches for those that match a subscription. It reads this list from the
%%    database only at startup. So without this module, a client that subscribes gets only the retained messages that
%%    were published on the same member: a display connected to another member does not see the node.
%%
%% 2. Network splits. When the members reach each other again, the database does not merge the changes of both sides;
%%    each side continues alone until an administrator restarts it, and a command published on one side does not reach a
%%    node on the other. This module restarts the smaller side with the data of the larger one. Its clients are
%%    disconnected, reconnect, and publish their current state.
-module(mod_mqtt_members).
-behaviour(gen_mod).
-behaviour(gen_server).

-export([start/2, stop/1, reload/3, depends/2, mod_options/1, mod_doc/0]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).
-export([tell_members/3, start_again/1]).

-include("logger.hrl").
-include("mqtt.hrl").

%% How often a member tries to reconnect to lost members, in milliseconds. ejabberd itself does not try.
-define(INTERVAL, 2000).

%% The callbacks of an ejabberd module

start(Host, Options) -> gen_mod:start_child(?MODULE, Host, Options).

stop(Host) -> gen_mod:stop_child(?MODULE, Host).

reload(_Host, _New, _Old) -> ok.

depends(_Host, _Options) -> [{mod_mqtt, hard}].

mod_options(_Host) -> [].

mod_doc() -> #{}.

%% The state: the host, and a member of the other side as long as the sides still need to be joined.
init([Host | _]) ->
    process_flag(trap_exit, true),
    %% Clears the master nodes that start_again/1 has set: they apply to a single start. Next time, any member may be
    %% the first to start.
    mnesia:set_master_nodes([]),
    {ok, _} = mnesia:subscribe(system),
    ejabberd_hooks:add(mqtt_publish, Host, ?MODULE, tell_members, 50),
    timer:send_interval(?INTERVAL, look),
    {ok, {Host, none}}.

terminate(_Reason, {Host, _}) ->
    ejabberd_hooks:delete(mqtt_publish, Host, ?MODULE, tell_members, 50).

handle_call(_Request, _From, State) -> {reply, ok, State}.

handle_cast(_Message, State) -> {noreply, State}.

handle_info(look, {Host, Member}) ->
    Lost = ejabberd_cluster:get_known_nodes() -- [node() | nodes()],
    %% Each attempt runs in a separate process, because it takes a few seconds if the network loses packets.
    [spawn(net_kernel, connect_node, [Other]) || Other <- Lost],
    {noreply, {Host, join_sides(Member)}};
handle_info({mnesia_system_event, {inconsistent_database, Context, Member}}, {Host, _}) ->
    ?WARNING_MSG("The database was changed both here and at ~s (~s)", [Member, Context]),
    {noreply, {Host, join_sides(Member)}};
handle_info(_Message, State) -> {noreply, State}.

%% Retained messages

%% Called for each message that a client publishes.
tell_members({_User, Server, _Resource}, #publish{retain = true, topic = Topic, payload = Payload}, _Expiry) ->
    Key = {topic_key(Topic), Server},
    {Function, Arguments} =
        case Payload of
            %% An empty payload deletes the retained message.
            <<>> -> {delete, [mqtt_topic_cache, Key]};
            _ -> {insert, [mqtt_topic_cache, {Key, Topic}]}
        end,
    %% Does not wait for a response, because a member that hangs must not delay the others.
    [rpc:cast(Member, ets, Function, Arguments) || Member <- ejabberd_cluster:get_nodes(), Member =/= node()],
    ok;
tell_members(_Client, _Message, _Expiry) -> ok.

%% Returns the topic in the form that mod_mqtt uses in its list: its levels, separated by /.
topic_key(Topic) ->
    case lists:join($/, binary:split(Topic, <<"/">>, [global])) of
        [<<>> | Rest] -> Rest;
        Key -> Key
    end.

%% Network splits

%% Each side gets the other's list of members, and both come to the same decision: the smaller side restarts. If both
%% are equally large, the side without the alphabetically first member restarts.
%%
%% Returns the member of the other side, or none if nothing is left to do.
join_sides(none) -> none;
join_sides(Member) ->
    Here = lists:sort(mnesia:system_info(running_db_nodes)),
    There = rpc:call(Member, mnesia, system_info, [running_db_nodes], 1000),
    %% The member may be unreachable again; then a new event follows when it is back. Or the sides are joined already,
    %% and have members in common.
    case is_list(There) andalso There =/= [] andalso There -- Here =:= There of
        true ->
            IsSmaller = {-length(Here), Here} > {-length(There), lists:sort(There)},
            %% Without a connection to all of them, ejabberd would wait for the missing ones and serve no client.
            case IsSmaller andalso There -- nodes() =:= [] of
                true ->
                    spawn(?MODULE, start_again, [There]),
                    none;
                false -> Member
            end;
        false -> none
    end.

%% Restarts ejabberd within its process, with the data of other members instead of its own.
start_again(Members) ->
    %% When an application stops, it ends all processes in its group, and this process must not be one of them.
    group_leader(whereis(init), self()),
    ?WARNING_MSG("Starting again with the data of ~p", [Members]),
    application:stop(ejabberd),
    application:stop(mnesia),
    ok = mnesia:set_master_nodes(Members),
    %% Otherwise mod_mqtt would find its old payloads in the caches.
    [ets_cache:delete(Cache) || Cache <- ets_cache:all()],
    application:start(ejabberd).
